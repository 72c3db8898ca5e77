import type { Clock, JsonObject } from 'rsi-loop';
import { isObject, mustBe, showValue } from 'rsi-loop/kit';
import type { ProblemResult } from './bench-run.js';
import type { Problem } from './problem.js';

/**
 * Whole new text of each changed file by its path, relative to the repository and with `/`. `null` removes the file. Two of
 * them merge as records do: the later text of a file holds.
 */
export type CodePatch = Readonly<Record<string, string | null>>;

/** Differences of a version of the agent from the baseline. The baseline is the variant without any field. */
export interface Variant {
  /** Name in reports. Default `candidate`. */
  readonly name?: string;
  /** Texts by name, passed to `run` as `prompts`. */
  readonly prompts?: Readonly<Record<string, string>>;
  /** Settings by name, passed to `run` as `policy`. */
  readonly policy?: JsonObject;
  /** Files that change, passed to `run` as `code`. See `codeProject` of `rsi-loop/improve`. */
  readonly code?: CodePatch;
}

/** Problems, and a way to run each of them. */
export interface ProblemRunner {
  readonly name: string;
  readonly problems: readonly Problem[];
  /** Limit on the cost of each baseline and each comparison, in US dollars. */
  readonly maxUsd?: number;
  /** Clock of limits on minutes. Default: the system's. */
  readonly clock?: Clock;
  /** Runs a problem once and scores the answer. Never rejects. */
  run(problem: Problem, variant?: Variant): Promise<ProblemResult>;
}

/** @throws LoopError `invalid-input` for what is not a suite. */
export function mustBeRunner(suite: unknown): void {
  mustBe(
    isObject(suite) && Array.isArray(suite.problems),
    'suite',
    showValue(suite),
    'a Suite, such as that of bench()',
  );
}
