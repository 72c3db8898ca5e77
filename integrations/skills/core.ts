/** `rsi-loop/skills/core`: folders of skills without a default sandbox, for other sandboxes and other storage. */

export type { CallOptions } from './call.js';
export type { Certificate } from './certificate.js';
export { type CheckOptions, checkSkillFiles, type SkillCheck } from './check-skill.js';
export type { SkillLogs } from './context.js';
export { fileLogs } from './file-logs.js';
export { FileSkillFolder } from './file-skill-folder.js';
export type { SkillVersion } from './folder-care.js';
export { type FrontMatter, readFrontMatter } from './front-matter.js';
export type { Learned } from './learner.js';
export type { LearnedDirective, LearnOptions } from './learning.js';
export type { LearningStep } from './learning-step.js';
export { type OfferOptions, SkillLibrary } from './library.js';
export type { LibraryOptions } from './library-options.js';
export type { Directive, MemoryStep, MemoryView } from './memory.js';
export type { Mutated, MutationStep } from './mutation.js';
export { type RecordedExamples, recordedExamples } from './recorded-examples.js';
export type { RejectedSkill } from './registry.js';
export { type Match, RetrievalIndex } from './retrieval.js';
export type { TestFailure, TestReport } from './run-tests.js';
export type {
  BuildOptions,
  Sandbox,
  SandboxAnswer,
  SandboxLanguage,
  SandboxLimits,
  SandboxModule,
  SandboxPermissions,
  SandboxProgram,
  SandboxRun,
} from './sandbox.js';
export {
  isSkillName,
  type Skill,
  type SkillFacts,
  type SkillFiles,
  type SkillStatus,
  type SkillSummary,
  type SkillTest,
} from './skill.js';
export type { LearningPhase, SkillEvent } from './skill-event.js';
export type { FoundSkill, SkillFolder } from './skill-folder.js';
export { addSkillKind } from './skill-kind.js';
export { type KeptSkill, type SkillDetail, type SkillList, SkillReader } from './skill-reader.js';
export type { SkillUse } from './usage.js';
export type { ValueSchema } from './value-schema.js';
export type { ListedSkill, MetaView, OfferedSkill } from './views.js';
