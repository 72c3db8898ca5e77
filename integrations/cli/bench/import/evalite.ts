import type { ProblemResult } from 'rsi-loop/bench';
import { nonEmptyText, numberOf, type Row, rowOf, rowsOf } from '../../../sources/import/import-fields.js';
import { type FileProblem, type Imported, type ImportNote, uniqueNames } from './imported.js';

/** Reads the results of `evalite --outputPath results.json`: each input is a problem, and each result a recorded run. */
export function importEvalite({ evals }: Row): Imported {
  const problems = new Map<string, FileProblem>();
  const versions = new Map<string, ProblemResult[]>();
  const notes: ImportNote[] = [];
  const unique = uniqueNames();
  for (const evaluation of rowsOf(evals)) {
    const name = nonEmptyText(evaluation.variantGroup) ?? nonEmptyText(evaluation.name) ?? 'eval';
    const version = nonEmptyText(evaluation.variantName) ?? '';
    for (const result of rowsOf(evaluation.results)) {
      const key = JSON.stringify([name, result.input, result.expected]);
      const problem = problems.get(key) ?? rowProblem(unique(name), name, result);
      problems.set(key, problem);
      const run = runOf(result, problem.id);
      if (run) runsOf(versions, version).push(run);
      else notes.push({ kind: 'skipped', item: problem.id, reason: 'a result of it has no score from 0 to 1' });
    }
  }
  if (problems.size > 0)
    notes.push({
      kind: 'changed',
      item: 'scorers',
      reason: 'they are code: give the benchmark a score, such as exact()',
    });
  return {
    problems: [...problems.values()],
    recorded: Array.from(versions, ([version, runs]) => ({ version, runs })),
    notes,
  };
}

function runsOf(versions: Map<string, ProblemResult[]>, version: string): ProblemResult[] {
  const runs = versions.get(version) ?? [];
  versions.set(version, runs);
  return runs;
}

function rowProblem(id: string, name: string, { input, expected }: Row): FileProblem {
  const isKnown = expected !== undefined && expected !== null;
  // Values of a JSON document.
  return {
    id,
    input: (input ?? null) as FileProblem['input'],
    ...(isKnown && { expected: expected as FileProblem['input'] }),
    tags: ['evalite', name],
  };
}

function runOf(result: Row, problemId: string): ProblemResult | undefined {
  const { status, averageScore, duration, traces, scores } = result;
  // A result without scorers has an average of 0, which says nothing.
  const score = status === 'fail' ? 0 : rowsOf(scores).length > 0 ? numberOf(averageScore) : undefined;
  if (score === undefined || score < 0 || score > 1) return undefined;
  const used = (name: string) => rowsOf(traces).reduce((sum, trace) => sum + (numberOf(rowOf(trace)[name]) ?? 0), 0);
  const tokens = { input: used('inputTokens'), output: used('outputTokens') };
  return {
    problemId,
    score,
    durationMs: numberOf(duration) ?? 0,
    ...(tokens.input + tokens.output > 0 && { tokens }),
    ...(status === 'fail' && { error: 'the eval failed' }),
  };
}
