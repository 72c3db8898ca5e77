import type { ProblemResult } from '../contract/bench-run.js';
import type { JsonObject } from '../contract/json.js';
import type { Problem } from './problem.js';

/** Differences of a version of the agent from the baseline. The baseline is the variant without any field. */
export interface Variant {
  /** Name in reports. Default `candidate`. */
  readonly name?: string;
  /** Texts by name, passed to `run` as `prompts`. */
  readonly prompts?: Readonly<Record<string, string>>;
  /** Settings by name, passed to `run` as `policy`. */
  readonly policy?: JsonObject;
}

/** Problems, and a way to run each of them. */
export interface ProblemRunner {
  readonly name: string;
  readonly problems: readonly Problem[];
  /** Runs a problem once and scores the answer. Never rejects. */
  run(problem: Problem, variant?: Variant): Promise<ProblemResult>;
}
