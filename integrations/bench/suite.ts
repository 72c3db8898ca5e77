import { type Clock, type JsonObject, LoopError, type Model, redact, SystemClock, type TokenUse } from 'rsi-loop';
import { describeThrown, messageOf, mustBe, showValue } from 'rsi-loop/kit';
import { type Baseline, type BaselineOptions, measureBaseline } from './baseline.js';
import type { ProblemResult } from './bench-run.js';
import { scoreOf } from './checks.js';
import { checkProblems, type Half, halfOf, type Problem, type Score } from './problem.js';
import type { CodePatch, ProblemRunner, Variant } from './problem-runner.js';

/** Context of one run of a problem. */
export interface RunContext {
  /** Aborted when the time limit is reached or the benchmark ends. */
  readonly signal: AbortSignal;
  readonly prompts: Readonly<Record<string, string>>;
  readonly policy: JsonObject;
  /** Files of the agent that this version changes. Empty for the agent as it is. */
  readonly code: CodePatch;
}

/** Answer with what it cost. Agents may also return the bare answer. */
export interface Measured {
  readonly answer: unknown;
  readonly tokens?: TokenUse;
  readonly costUsd?: number;
  /** Steps that the agent took, for example calls of a model. */
  readonly turns?: number;
  /** Whether the answer came from a cache. Such a run is not counted again for the same problem. */
  readonly cached?: boolean;
}

/** Options of `Suite`. */
export interface SuiteOptions {
  readonly problems: readonly Problem[];
  /**
   * Runs the agent on one problem. What it throws is a failure of the problem. An error may carry `costUsd`, `tokens` and
   * `turns`; without them it counts as expensive as the most expensive run so far.
   */
  readonly run: (problem: Problem, context: RunContext) => unknown;
  /** Scores answers of problems that name no check. */
  readonly score?: Score;
  /** Model that scores answers of problems with the check `judge`. */
  readonly judge?: Model;
  /** Limit of one run, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number;
  /** Limit on the cost of each baseline and each comparison, in US dollars, if runs state their cost. Default: none. */
  readonly maxUsd?: number;
  readonly clock?: Clock;
}

const TIMEOUT_MS = 60_000;

/** Benchmark: problems, the agent that solves them, and how its answers are scored. */
export class Suite implements ProblemRunner {
  readonly name: string;
  readonly problems: readonly Problem[];
  readonly clock: Clock;
  readonly maxUsd?: number;
  readonly #options: SuiteOptions;
  readonly #scores: ReadonlyMap<string, Score>;

  /** @throws LoopError `invalid-input` naming the problem that cannot be run or scored. */
  constructor(name: string, options: SuiteOptions) {
    checkProblems(options.problems);
    const { timeoutMs = TIMEOUT_MS, maxUsd } = options;
    mustBe(timeoutMs > 0, 'timeoutMs', timeoutMs, 'milliseconds above 0');
    mustBe(maxUsd === undefined || maxUsd > 0, 'maxUsd', maxUsd, 'a number above 0');
    const { run, score } = options;
    mustBe(typeof run === 'function', 'run', showValue(run), 'a function from a problem to an answer');
    mustBe(
      score === undefined || typeof score === 'function',
      'score',
      showValue(score),
      'a function, such as exact()',
    );
    this.name = name;
    this.problems = options.problems;
    this.clock = options.clock ?? new SystemClock();
    if (maxUsd !== undefined) this.maxUsd = maxUsd;
    this.#options = options;
    this.#scores = new Map(options.problems.map((problem) => [problem.id, scoreFor(problem, options)]));
  }

  /**
   * Returns the suite with one half of its problems: candidates are made from the open half and compared on the other.
   * @throws LoopError `invalid-input` if the half has no problem.
   */
  half(half: Half): Suite {
    const problems = this.problems.filter((problem) => halfOf(problem) === half);
    if (problems.length > 0) return new Suite(`${this.name}, ${half}`, { ...this.#options, problems });
    throw new LoopError(
      'invalid-input',
      `no problem of ${this.name} is ${half}: set "split" of some, or give more problems`,
    );
  }

  /**
   * Runs every problem several times as it is: the score with its interval, and how much it varies.
   * @throws LoopError `invalid-input` for an option out of range.
   */
  baseline(options: BaselineOptions = {}): Promise<Baseline> {
    return measureBaseline(this, options);
  }

  /** Runs a problem once and scores the answer. Never throws: a crash, a time-out or a bad score is a score of 0. */
  async run(problem: Problem, variant: Variant = {}): Promise<ProblemResult> {
    const startedMs = this.clock.monotonic();
    const limitMs = problem.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS;
    const stop = new AbortController();
    const { prompts = {}, policy = {}, code = {} } = variant;
    let cancel: () => void = () => undefined;
    const late = new Promise<never>((_, reject) => {
      cancel = this.clock.after(limitMs, () => reject(new LoopError('timed-out', `no answer in ${limitMs} ms`)));
    });
    let durationMs: number | undefined;
    let measures: Omit<Measured, 'answer'> = {};
    const end = (result: Pick<ProblemResult, 'score'> & Partial<ProblemResult>): ProblemResult => ({
      problemId: problem.id,
      durationMs: durationMs ?? this.clock.monotonic() - startedMs,
      ...result,
      ...measures,
    });
    try {
      const context = { signal: stop.signal, prompts, policy, code };
      const work = Promise.resolve().then(() => this.#options.run(copyOf(problem), context));
      const { answer, ...measured } = measuredOf(await Promise.race([work, late]));
      // The answer is paid for, and took its time, also if it cannot be scored.
      durationMs = this.clock.monotonic() - startedMs;
      measures = measured;
      const scored = await Promise.race([this.#scores.get(problem.id)?.(answer, problem) ?? 0, late]);
      const { score, ...noise } = typeof scored === 'object' ? scored : { score: scored };
      if (typeof score !== 'number' || !(score >= 0 && score <= 1))
        return end({ score: 0, error: `the score is ${String(score)}, not a number from 0 to 1` });
      return end({ score, ...noise, ...(score < 1 && { answer: shownAnswer(answer) }) });
    } catch (error) {
      // A crash before the answer may state what it cost.
      if (durationMs === undefined) measures = usedOf(error);
      return end({ score: 0, error: describeThrown(error) });
    } finally {
      cancel();
      stop.abort();
    }
  }
}

const LONGEST_SHOWN = 200;

/** Returns the start of an answer, as text without secrets. Never throws. */
function shownAnswer(answer: unknown): string {
  try {
    const text = typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? String(answer));
    // Redacted before it is cut, because half a secret has no known shape. Longer ones are cut twice, to bound the work.
    return redact(text.slice(0, 20 * LONGEST_SHOWN)).slice(0, LONGEST_SHOWN);
  } catch {
    return 'an answer that cannot be shown';
  }
}

function scoreFor({ id, check }: Problem, { score, judge }: SuiteOptions): Score {
  if (check === undefined) {
    if (score) return score;
    throw new LoopError('invalid-input', `problem ${id} has no check, and the benchmark no score: give one of them`);
  }
  try {
    // A copy, so that an agent that changes its problem does not change how it is scored.
    return scoreOf(typeof check === 'function' ? check : structuredClone(check), judge);
  } catch (cause) {
    throw new LoopError('invalid-input', `problem ${id}: ${messageOf(cause)}`, { cause });
  }
}

/** Returns a problem that a run may change: neither other runs nor the score see it. */
function copyOf({ check, ...data }: Problem): Problem {
  const copy = structuredClone(data);
  if (check === undefined) return copy;
  return { ...copy, check: typeof check === 'function' ? check : structuredClone(check) };
}

function measuredOf(returned: unknown): Measured {
  const isMeasured = typeof returned === 'object' && returned !== null && 'answer' in returned;
  if (!isMeasured) return { answer: returned };
  const { answer, cached } = returned as Measured; // agents return it as documented, or nothing of it counts
  return { answer, ...usedOf(returned), ...(cached === true && { cached }) };
}

/** Returns what an answer or an error states about its use of resources. */
function usedOf(stated: unknown): Pick<Measured, 'tokens' | 'costUsd' | 'turns'> {
  if (typeof stated !== 'object' || stated === null) return {};
  const { tokens, costUsd, turns } = stated as Readonly<Record<keyof Measured, unknown>>; // each field is checked here
  const { input, output } = typeof tokens === 'object' && tokens !== null ? (tokens as Partial<TokenUse>) : {};
  return {
    ...(isAmount(input) && isAmount(output) && { tokens: tokens as TokenUse }),
    ...(isAmount(costUsd) && { costUsd }),
    ...(isAmount(turns) && { turns }),
  };
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY;
}
