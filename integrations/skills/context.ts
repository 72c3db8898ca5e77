import type { Clock, Gate, Model } from 'rsi-loop';
import type { ImprovementLog, LoopHandle } from 'rsi-loop/kit';
import type { Facts } from './facts.js';
import type { Grants } from './grants.js';
import type { LearningStep } from './learning-step.js';
import type { MemoryStep, SkillMemory } from './memory.js';
import type { MutationStep } from './mutation.js';
import type { Registry } from './registry.js';
import type { Sandbox, SandboxPermissions } from './sandbox.js';
import type { Skill } from './skill.js';
import type { SkillEvent } from './skill-event.js';
import type { SkillFolder } from './skill-folder.js';
import type { UsageCounts } from './usage.js';

/** Logs of a folder. Each step is safe when `add` resolves. */
export interface SkillLogs {
  readonly learning: ImprovementLog<LearningStep>;
  readonly mutations: ImprovementLog<MutationStep>;
  readonly memory: ImprovementLog<MemoryStep>;
  /** Closes their files. */
  close?(): Promise<void>;
}

/** Parts of an open folder of skills, shared by its verbs. */
export interface SkillContext {
  readonly loop: LoopHandle;
  readonly clock: Clock;
  readonly folder: SkillFolder;
  readonly logs: SkillLogs;
  readonly registry: Registry;
  readonly usage: UsageCounts;
  readonly facts: Facts;
  readonly grants: Grants;
  readonly memory: SkillMemory;
  /** Versions that may replace the current one, by the name of the skill. */
  readonly candidates: Map<string, Skill>;
  readonly sandbox: Sandbox;
  /** Access that skills may get at most. A person grants each skill its part. */
  readonly allow: SandboxPermissions;
  readonly model?: Model;
  readonly gate?: Gate;
  readonly emit: (event: SkillEvent) => void;
}
