import { type Json, LoopError } from 'rsi-loop';
import { chance, mustBe, showValue } from 'rsi-loop/kit';

/** One problem of a benchmark. */
export interface Problem {
  /** Unique in its suite. */
  readonly id: string;
  readonly input: Json;
  readonly expected?: Json;
  /** How answers are scored, as data or as a function. Default: the suite's `score`. */
  readonly check?: CheckSpec | Score;
  readonly difficulty?: 'easy' | 'medium' | 'hard';
  readonly tags?: readonly string[];
  /** Limit of one run, in milliseconds. Default: the suite's. */
  readonly timeoutMs?: number;
  /** Half of the benchmark: proposers see only the open one. Default: by the group, or the id. */
  readonly split?: Half;
  /** Name that problems share whose luck is shared, such as questions on one document. They are drawn and counted together. */
  readonly group?: string;
}

/** Half of a suite: `open` to learn from, or `held-out` for the proof. */
export type Half = 'open' | 'held-out';

/** Score with how much it varies when the same answer is scored again, as a standard deviation. */
export interface NoisyScore {
  readonly score: number;
  readonly noise: number;
}

type Scored = number | NoisyScore;

/** Scores an answer: 0 (wrong) to 1 (right). May ask a model. What it throws counts as a score of 0. */
export type Score = (answer: unknown, problem: Problem) => Scored | Promise<Scored>;

/** Check of an answer as data, so that it fits in a problem file. */
export type CheckSpec =
  /** Any answer is right; only a run that throws or takes too long is wrong. */
  | { readonly kind: 'succeeds' }
  | { readonly kind: 'exact' }
  | { readonly kind: 'contains'; readonly texts: readonly string[]; readonly ignoreCase?: boolean }
  | { readonly kind: 'regex'; readonly pattern: string; readonly flags?: string }
  /** JSON Schema. An answer that is a text is parsed. */
  | { readonly kind: 'json-schema'; readonly schema: object }
  /** The suite's `judge` gives points by these instructions. */
  | { readonly kind: 'judge'; readonly instructions: string; readonly repeats?: number }
  /** Scores the lowest of the checks. */
  | { readonly kind: 'all'; readonly checks: readonly CheckSpec[] }
  /** Scores the highest of the checks. */
  | { readonly kind: 'any'; readonly checks: readonly CheckSpec[] }
  /** Scores 1 if the check scores below 1, otherwise 0. */
  | { readonly kind: 'not'; readonly check: CheckSpec }
  | CodeTestsCheck;

/** Test of an answer that is code: an expression, or statements with `return`, and what it must yield. */
export type CodeTest =
  | {
      /** Sees the exports of the answer by their names. */
      readonly run: string;
      readonly expected: Json;
    }
  | {
      readonly run: string;
      /** Text that the name and message of the error contain, such as `RangeError`. */
      readonly throws: string;
    };

/** Check that runs tests against code in the answer. */
export interface CodeTestsCheck {
  readonly kind: 'code-tests';
  readonly tests: readonly CodeTest[];
  /** Limit of all tests together. Default 10,000. */
  readonly timeoutMs?: number;
  /** Default 512. */
  readonly memoryMb?: number;
}

const FIELDS: ReadonlySet<string> = new Set([
  'id',
  'input',
  'expected',
  'check',
  'difficulty',
  'tags',
  'timeoutMs',
  'split',
  'group',
]);

/**
 * Checks problems read from a file or given by a host.
 * @throws LoopError `invalid-input` naming the problem and the field.
 */
export function checkProblems(problems: readonly Problem[]): void {
  mustBe(Array.isArray(problems), 'problems', showValue(problems), 'a list of problems');
  if (problems.length === 0) throw invalid('a benchmark has no problems', 'give at least one');
  const seen = new Set<string>();
  for (const [index, problem] of problems.entries()) {
    if (typeof problem?.id !== 'string' || problem.id === '') {
      throw invalid(`problem ${index + 1} has no id`, 'give each problem a text that is unique');
    }
    if (seen.has(problem.id)) throw invalid(`two problems have the id ${problem.id}`, 'rename one of them');
    seen.add(problem.id);
    checkFields(problem, `problem ${problem.id}`);
  }
  checkGroups(problems);
}

/** A proposer that sees one problem of a group knows something of the others. */
function checkGroups(problems: readonly Problem[]): void {
  const halves = new Map<string, Half>();
  for (const problem of problems) {
    const { group } = problem;
    if (group === undefined) continue;
    const half = halfOf(problem);
    if ((halves.get(group) ?? half) !== half)
      throw invalid(`the group ${group} is in both halves`, 'give all of its problems the same split, or none');
    halves.set(group, half);
  }
}

function checkFields(problem: Problem, name: string): void {
  if (!('input' in problem)) throw invalid(`${name} has no input`, 'give what the agent receives');
  const { timeoutMs = 1 } = problem;
  if (!(timeoutMs > 0)) throw invalid(`${name} has a timeoutMs of ${String(timeoutMs)}`, 'give milliseconds above 0');
  const { split = 'open' } = problem;
  if (split !== 'open' && split !== 'held-out')
    throw invalid(`${name} has a split of ${String(split)}`, 'give open or held-out');
  const { group = name } = problem;
  if (typeof group !== 'string' || group === '') throw invalid(`${name} has a group that is no text`, 'give a name');
  const unknown = Object.keys(problem).find((field) => !FIELDS.has(field));
  if (unknown === undefined) return;
  throw invalid(`${name} has the unknown field ${unknown}`, `known fields are ${[...FIELDS].join(', ')}`);
}

/** Returns the half that a problem belongs to. Without `split`, its group or id decides: other problems do not change it. */
export function halfOf({ id, split, group = id }: Problem): Half {
  return split ?? (chance.hashUnit(`half of ${group}`) < 0.5 ? 'open' : 'held-out');
}

function invalid(what: string, advice: string): LoopError {
  return new LoopError('invalid-input', `${what}: ${advice}`);
}
