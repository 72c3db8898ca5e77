import type { RuleFile } from './change.js';

/** Everyone who can act on a pattern. */
export const ACTORS = ['loop', 'agent', 'host', 'operator', 'provider', 'user', 'undetermined'] as const;

/**
 * Party that must act: `loop` (a setting helps), `agent` (a rule or a better prompt helps), `host` (a bug or a missing piece in
 * the program), `operator` (key, quota, disk, environment variable, missing tool), `provider`, `user` (rejected, declined,
 * invalid order). Only `loop` and `agent` lead to proposals.
 */
export type Actor = (typeof ACTORS)[number];

/** Rule that follows from what the failures say. */
export interface RemedyRule {
  readonly text: string;
  readonly file: RuleFile;
}

/** Party that must act on a pattern, its task, and the counted evidence for it. */
export interface ActorFinding {
  readonly who: Actor;
  /** Id of the remedy that matched, `class/...` if only the class decided, or `none`. */
  readonly remedy: string;
  /** Instruction for that actor, in one sentence. */
  readonly todo: string;
  /** Only for the agent, and only if a message states its remedy. */
  readonly rule?: RemedyRule;
  readonly evidence: ActorEvidence;
}

/** Facts that decided, each of which can be counted again in the outcomes. */
export interface ActorEvidence {
  /** Texts that say so, out of the different texts kept of the pattern. */
  readonly matched: number;
  readonly of: number;
  /** Words of the texts that matched, at most 3. */
  readonly said: readonly string[];
  /** Fact about the steps before the failures, e.g. `path-never-listed`: seen in `count` of `of` failures. */
  readonly course?: { readonly fact: string; readonly count: number; readonly of: number };
}
