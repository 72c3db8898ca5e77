import type { ProblemResult } from 'rsi-loop/bench';
import { addTo } from 'rsi-loop/kit';
import { isRow, nonEmptyText, numberOf, type Row, rowOf, rowsOf } from '../../../sources/import/import-fields.js';
import { type Imported, type ImportNote, uniqueNames } from './imported.js';
import { promptfooProblems } from './promptfoo.js';

/** Whether a file has results of `promptfoo eval --output results.json`. */
export function hasPromptfooResults({ results }: Row): boolean {
  return isRow(results) && Array.isArray(results.results);
}

/** Reads results of promptfoo: each test is a problem, and each of its results a recorded run of a provider and a prompt. */
export function importPromptfooResults(file: Row): Imported {
  const rows = rowsOf(rowOf(file.results).results);
  const tests = new Map<string, { readonly id: string; readonly rows: Row[] }>();
  const unique = uniqueNames();
  for (const row of rows) {
    const { description, assert } = rowOf(row.testCase);
    const key = JSON.stringify([description, row.vars, assert]);
    const test = tests.get(key) ?? { id: unique(nonEmptyText(description) ?? `test ${tests.size + 1}`), rows: [] };
    test.rows.push(row);
    tests.set(key, test);
  }
  const versions = new Map<string, ProblemResult[]>();
  const nameOf = namesOf(rows);
  const found = [...tests.values()].map(({ id, rows }) => {
    const { problems, notes } = problemOf(rows[0]?.testCase, id);
    const runs = rows.map((row) => ({ row, run: runOf(row, id) }));
    for (const { row, run } of runs) if (typeof run !== 'string') addTo(versions, nameOf(row), run);
    const missing = runs.flatMap(({ run }) => (typeof run === 'string' ? [skipped(id, run)] : []));
    return { problems, notes: [...notes, ...missing] };
  });
  return {
    problems: found.flatMap(({ problems }) => problems),
    recorded: Array.from(versions, ([version, runs]) => ({ version, runs })),
    notes: found.flatMap(({ notes }) => notes),
  };
}

function problemOf(test: unknown, id: string): Pick<Imported, 'problems' | 'notes'> {
  // Without its assertions, every answer would be right.
  if (!isRow(test)) return { problems: [], notes: [skipped(id, 'the results have no test of it')] };
  return promptfooProblems(test, {}, id);
}

function skipped(item: string, reason: string): ImportNote {
  return { kind: 'skipped', item, reason };
}

/** Names each version by its provider, and by the number of its prompt if there are several. */
function namesOf(rows: readonly Row[]): (row: Row) => string {
  const severalPrompts = new Set(rows.map(({ promptIdx }) => promptIdx)).size > 1;
  return ({ provider, promptIdx }) => {
    const { label, id } = rowOf(provider);
    const name = nonEmptyText(label) ?? nonEmptyText(id) ?? 'provider';
    return severalPrompts ? `${name}, prompt ${(numberOf(promptIdx) ?? 0) + 1}` : name;
  };
}

/** A result that ended with an error, and not by its assertions. */
const ERROR = 2;
const JUDGED = /^(?:not-)?(?:llm-rubric|g-eval|model-graded-.*|factuality|answer-relevance|context-.*)$/;

/** Returns the recorded run, or why there is none. */
function runOf(row: Row, problemId: string): ProblemResult | string {
  const { success, error, failureReason, latencyMs, cost, tokenUsage, response } = row;
  if (typeof success !== 'boolean') return 'a result of it says neither success nor failure';
  const judged = rowsOf(rowOf(row.testCase).assert).some(({ type }) => JUDGED.test(String(type)));
  // The agent may have answered, and its judge failed.
  if (failureReason === ERROR && judged) return `a result of it was not judged: ${firstLine(error) ?? 'no message'}`;
  const { prompt = 0, completion = 0 } = rowOf(tokenUsage);
  const tokens = { input: numberOf(prompt) ?? 0, output: numberOf(completion) ?? 0 };
  const costUsd = numberOf(cost) ?? 0;
  const message = success ? undefined : firstLine(error);
  return {
    problemId,
    score: success ? 1 : 0,
    durationMs: numberOf(latencyMs) ?? 0,
    ...(tokens.input + tokens.output > 0 && { tokens }),
    ...(costUsd > 0 && { costUsd }),
    ...(rowOf(response).cached === true && { cached: true }),
    ...(message !== undefined && { error: message }),
  };
}

function firstLine(text: unknown): string | undefined {
  return nonEmptyText(text)?.split('\n', 1)[0]?.slice(0, 200);
}
