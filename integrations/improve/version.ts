import type { Comparison, Variant } from 'rsi-loop/bench';
import { canonical, hashing, readAs } from 'rsi-loop/kit';
import type { VersionDecision } from './decision.js';
import type { Hypothesis } from './hypothesis.js';

/** Version of the agent with where it comes from. */
export interface PlannedVersion {
  /** The same for the same texts and settings. */
  readonly id: string;
  /**
   * Ids of the versions that it changes or takes parts from: first the one whose failures were shown to the proposer.
   * Empty for the agent as it is.
   */
  readonly parents: readonly string[];
  /** Round in which it was first scored. */
  readonly round: number;
  readonly variant: Variant;
  /** Ids of its changes, see `ScoredProposal`. Empty for the agent as it is. */
  readonly parts: readonly string[];
}

/** Version with its score. */
export interface ScoredVersion extends PlannedVersion {
  /** Mean score of its runs on the open half, 0 to 1. */
  readonly score: number;
  /** Runs on the open half. */
  readonly runs: number;
}

/** Version in the archive, with all its runs. */
export interface Version extends ScoredVersion {
  /** Hypotheses of its parts. */
  readonly hypotheses: readonly Hypothesis[];
  /** Last comparison with the version that was best before, if there was one. */
  readonly comparison?: Comparison;
  readonly isKept: boolean;
  /** Newest decision about it, if there is one. */
  readonly decision?: VersionDecision;
}

/** Returns the id of a version. Its name does not matter. */
export function versionId(version: Variant): string {
  return readAs('version', 'texts, settings and files as JSON data', () => idOf(version));
}

function idOf({ name: _, ...content }: Variant): string {
  const isEmpty = (value: unknown) => value === undefined || canonical(value) === '{}';
  const changes = Object.entries(content).filter(([, value]) => !isEmpty(value));
  return hashing.hashHex(canonical(Object.fromEntries(changes))).slice(0, 12);
}

/** Returns a version with the changes of a candidate: texts, settings and files by their names. */
export function merged(version: Variant, { name, prompts, policy, code }: Variant): Variant {
  return {
    ...(name !== undefined && { name }),
    prompts: { ...version.prompts, ...prompts },
    policy: { ...version.policy, ...policy },
    ...((version.code || code) && { code: { ...version.code, ...code } }),
  };
}
