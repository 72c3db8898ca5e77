import type { Fix } from 'rsi-loop';
import { isGiven, type Proofs } from './proof.js';
import { isActive } from './registry.js';
import type { SkillSummary } from './skill.js';
import type { SkillUse, UsageCounts } from './usage.js';
import type { ValueSchema } from './value-schema.js';

/** Skill for an agent: ready to be given to it as a tool. Its texts are untrusted. */
export interface OfferedSkill {
  readonly name: string;
  readonly kind: 'code' | 'instructions';
  readonly description: string;
  readonly whenNot?: string;
  readonly input?: ValueSchema;
  readonly output?: ValueSchema;
  readonly hash: string;
  /** Files besides its instructions, which agents read by name. */
  readonly otherFiles: number;
  /** How well it fits the task, 0 to 1. */
  readonly score: number;
}

/** Row of the list of skills. */
export interface ListedSkill extends SkillSummary {
  readonly isActive: boolean;
  /** True if tasks outside of a trial get it: it is active, and its proof is not open or lost. */
  readonly isOffered: boolean;
  readonly use?: SkillUse;
  /** Newest fix that proves or proved this version. */
  readonly proof?: Pick<Fix, 'id' | 'status'>;
}

/** Returns a skill with its use and its proof. */
export function listedSkill(summary: SkillSummary, use: SkillUse | undefined, proofs: Proofs): ListedSkill {
  const proof = proofs.get(summary.hash);
  return {
    ...summary,
    isActive: isActive(summary),
    isOffered: isActive(summary) && isGiven(summary, proofs, undefined),
    ...(use && { use }),
    ...(proof && { proof: { id: proof.id, status: proof.status } }),
  };
}

/** Registry of capabilities as `meta.json` holds it. */
export interface MetaView {
  readonly version: 1;
  readonly capabilities: readonly (SkillSummary & { readonly calls: number; readonly failures: number })[];
}

/** Returns the registry of capabilities. */
export function metaView(skills: readonly SkillSummary[], usage: UsageCounts): MetaView {
  return {
    version: 1,
    capabilities: skills.map((skill) => {
      const { calls = 0, failures = 0 } = usage.of(skill.hash) ?? {};
      return { ...skill, calls, failures };
    }),
  };
}

/** Returns a skill as an agent gets it. */
export function offered(
  { name, description, whenNot, input, output, hash, language, otherFiles }: SkillSummary,
  score: number,
): OfferedSkill {
  return {
    name,
    kind: language === undefined ? 'instructions' : 'code',
    description,
    hash,
    otherFiles,
    score,
    ...(whenNot !== undefined && { whenNot }),
    ...(input && { input }),
    ...(output && { output }),
  };
}
