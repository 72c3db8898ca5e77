import type { CheckSpec, ProblemResult } from 'rsi-loop/bench';
import { usageOf } from '../../../sources/import/formats/inspect-ai.js';
import {
  contentText,
  idOf,
  isRow,
  nonEmptyText,
  numberOf,
  type Row,
  rowOf,
  rowsOf,
  secondsOf,
} from '../../../sources/import/import-fields.js';
import { type FileProblem, type Imported, type ImportNote, literal } from './imported.js';

/** Reads a log of Inspect: each sample is a problem, and each of its epochs a recorded run. */
export function importInspect(log: Row): Imported {
  const evaluation = rowOf(log.eval);
  const task = nonEmptyText(evaluation.task) ?? 'task';
  const scorers = scorersOf(evaluation, log);
  const notes: ImportNote[] = [];
  const problems = new Map<string, FileProblem>();
  const runs: ProblemResult[] = [];
  for (const sample of rowsOf(log.samples)) {
    const id = `${task} ${idOf(sample.id) ?? problems.size + 1}`;
    const problem = problems.get(id) ?? sampleProblem(sample, { id, task, scorer: scorers[0] });
    const run = runOf(sample, id);
    if (problem) problems.set(id, problem);
    else notes.push({ kind: 'skipped', item: id, reason: 'the sample has no input of text alone' });
    if (run) runs.push(run);
    else notes.push({ kind: 'skipped', item: `${id}, epoch ${idOf(sample.epoch) ?? 1}`, reason: NO_SCORE });
  }
  return {
    problems: [...problems.values()],
    recorded: runs.length > 0 ? [{ version: nonEmptyText(evaluation.model) ?? '', runs }] : [],
    notes: [...notes, ...notesOn(scorers, [...problems.values()], task)],
  };
}

const NO_SCORE = 'its run has neither a score from 0 to 1 nor an error';

function sampleProblem(
  sample: Row,
  { id, task, scorer }: { readonly id: string; readonly task: string; readonly scorer: Scorer | undefined },
): FileProblem | undefined {
  const input = inputOf(sample);
  if (input === undefined) return undefined;
  const targets = targetsOf(sample);
  const check = checkOf(scorer, targets);
  const expected = targets.length > 1 ? targets : targets[0];
  return { id, input, ...(expected !== undefined && { expected }), ...(check && { check }), tags: ['inspect', task] };
}

/** Explains how the problems are scored in another way than the samples. */
function notesOn(scorers: readonly Scorer[], problems: readonly FileProblem[], task: string): readonly ImportNote[] {
  const [scorer] = scorers;
  const without = problems.filter(({ check }) => check === undefined);
  // Most scorers compare with a target, and have nothing to compare an empty one with.
  const untargeted = without.filter(({ expected }) => expected === undefined).length;
  const isKnown = scorer !== undefined && checkOf(scorer, ['x']) !== undefined;
  const unchecked = without.length - (isKnown ? untargeted : 0);
  const why = scorer ? `the scorer ${scorer.name} has no counterpart` : 'the log names no scorer';
  const which = (count: number) => (count === 1 ? '1 problem has' : `${count} problems have`);
  const notes = [
    ...(unchecked > 0
      ? [`${which(unchecked)} no check, because ${why}: give the benchmark a score, such as contains()`]
      : []),
    ...(isKnown && untargeted > 0
      ? [`${which(untargeted)} no check, because its target is empty: give the benchmark a score, or leave it out`]
      : []),
    ...(scorers.length > 1 ? [`only ${scorer?.name} of ${scorers.length} scorers is taken`] : []),
  ];
  return notes.map((reason) => ({ kind: 'changed', item: task, reason }));
}

interface Scorer {
  readonly name: string;
  readonly options: Row;
}

function scorersOf(evaluation: Row, log: Row): readonly Scorer[] {
  const named = rowsOf(evaluation.scorers).map(({ name, options }) => ({
    name: nameOf(name),
    options: rowOf(options),
  }));
  if (named.length > 0) return named;
  // Logs of older versions name the scorers only in their results.
  return rowsOf(rowOf(log.results).scores).map(({ scorer, name, params }) => ({
    name: nameOf(scorer ?? name),
    options: rowOf(params),
  }));
}

function nameOf(name: unknown): string {
  return String(name).replace(/^inspect_ai\//, '');
}

/** Returns how a sample is checked like the first scorer does; undefined if that scorer cannot be expressed. */
function checkOf(scorer: Scorer | undefined, targets: readonly string[]): CheckSpec | undefined {
  const { name, options } = scorer ?? { name: '', options: {} };
  if (/^model_graded_(?:qa|fact)$/.test(name)) return { kind: 'judge', instructions: GRADED };
  if (targets.length === 0) return undefined;
  if (name === 'includes' || (name === 'match' && options.location === 'any')) {
    const ignoreCase = options.ignore_case !== false;
    return anyOf(targets.map((target) => ({ kind: 'contains', texts: [target], ...(ignoreCase && { ignoreCase }) })));
  }
  if (name === 'choice' && targets.length === 1) return { kind: 'exact' };
  const around =
    name === 'match' && options.numeric !== true ? AROUND[nonEmptyText(options.location) ?? 'end'] : undefined;
  if (!around) return undefined;
  const flags = options.ignore_case === false ? 'u' : 'iu';
  return anyOf(targets.map((target) => ({ kind: 'regex', pattern: around(literal(target.trim())), flags })));
}

const GRADED =
  'The answer is right if it says the same as the expected answer. Points between 0 and 10 are for parts of it.';

/** Marks round an answer, which the scorer `match` ignores. */
const MARKS = '[\\s\\p{P}]*';

const AROUND: Readonly<Record<string, (target: string) => string>> = {
  begin: (target) => `^${MARKS}${target}`,
  end: (target) => `${target}${MARKS}$`,
  exact: (target) => `^${MARKS}${target}${MARKS}$`,
};

function anyOf(checks: readonly CheckSpec[]): CheckSpec | undefined {
  return checks.length > 1 ? { kind: 'any', checks } : checks[0];
}

function inputOf({ input, choices, attachments }: Row): FileProblem['input'] | undefined {
  // Long texts are kept once, beside the sample.
  const whole = (text: string) => nonEmptyText(rowOf(attachments)[text.replace('attachment://', '')]) ?? text;
  // A question without its picture cannot be answered.
  const isText = rowsOf(input).every(({ content }) => rowsOf(content).every(({ type }) => type === 'text'));
  if (!isText) return undefined;
  const messages = rowsOf(input).map(({ role, content }) => ({
    role: nonEmptyText(role) ?? 'user',
    content: whole(contentText(content)),
  }));
  const question =
    typeof input === 'string' && input !== '' ? whole(input) : messages.length > 0 ? messages : undefined;
  if (question === undefined) return undefined;
  const letters = Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : [];
  return letters.length > 0 ? { question, choices: letters } : question;
}

function targetsOf({ target }: Row): readonly string[] {
  const targets = Array.isArray(target) ? target : [target];
  return targets.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
}

const LETTERS: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0, true: 1, false: 0 };

/** Returns the first score from 0 to 1. */
function scoreOf({ scores, score }: Row): number | undefined {
  const values = (isRow(scores) ? Object.values(scores) : [score]).map((one) => rowOf(one).value);
  return values
    .map((value) => (Object.hasOwn(LETTERS, String(value)) ? LETTERS[String(value)] : numberOf(value)))
    .find((value) => value !== undefined && value >= 0 && value <= 1);
}

function runOf(sample: Row, problemId: string): ProblemResult | undefined {
  const error = nonEmptyText(rowOf(sample.error).message);
  const score = error === undefined ? scoreOf(sample) : 0;
  if (score === undefined) return undefined;
  const tokens = usageOf(sample.model_usage);
  const costs = isRow(sample.model_usage)
    ? rowsOf(Object.values(sample.model_usage)).map(({ total_cost }) => numberOf(total_cost))
    : [];
  const costUsd = costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
  return {
    problemId,
    score,
    durationMs: secondsOf(sample.total_time) ?? 0,
    ...(tokens && { tokens }),
    ...(costUsd > 0 && { costUsd }),
    ...(error !== undefined && { error: error.slice(0, 200) }),
  };
}
