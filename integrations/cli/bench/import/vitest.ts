import type { ProblemResult } from 'rsi-loop/bench';
import { nonEmptyText, numberOf, type Row, rowsOf } from '../../../sources/import/import-fields.js';
import { type Imported, type ImportNote, uniqueNames } from './imported.js';

/** Reads the report of `vitest --reporter=json`: each test is a recorded run. Its input is code, so it is no problem. */
export function importVitest({ testResults }: Row): Imported {
  const files = rowsOf(testResults);
  const folder = commonFolder(files.map(({ name }) => nonEmptyText(name) ?? ''));
  const runs: ProblemResult[] = [];
  const notes: ImportNote[] = [];
  for (const { name, assertionResults, status, message } of files) {
    const file = (nonEmptyText(name) ?? 'tests').slice(folder.length);
    const tests = rowsOf(assertionResults);
    if (tests.length === 0 && status === 'failed')
      notes.push({ kind: 'skipped', item: file, reason: `it was not loaded: ${firstLine(message) ?? 'no message'}` });
    const unique = uniqueNames();
    for (const test of tests) {
      const id = unique(`${file} › ${nonEmptyText(test.fullName) ?? nonEmptyText(test.title) ?? 'test'}`);
      const run = runOf(test, id);
      if (run) runs.push(run);
      else
        notes.push({
          kind: 'skipped',
          item: id,
          reason: `it was not run (${nonEmptyText(test.status) ?? 'no status'})`,
        });
    }
  }
  return { problems: [], recorded: runs.length > 0 ? [{ version: '', runs }] : [], notes };
}

function runOf({ status, duration, failureMessages }: Row, problemId: string): ProblemResult | undefined {
  if (status !== 'passed' && status !== 'failed') return undefined;
  const error =
    status === 'failed' ? firstLine(Array.isArray(failureMessages) ? failureMessages[0] : undefined) : undefined;
  return {
    problemId,
    score: status === 'passed' ? 1 : 0,
    durationMs: numberOf(duration) ?? 0,
    ...(error !== undefined && { error }),
  };
}

function firstLine(text: unknown): string | undefined {
  return nonEmptyText(text)?.split('\n', 1)[0]?.slice(0, 200);
}

/** Returns the folder that all files are in, so that reports of two machines name their tests alike. */
function commonFolder(paths: readonly string[]): string {
  const [first = '', ...others] = paths;
  let end = first.lastIndexOf('/') + 1;
  while (end > 0 && !others.every((path) => path.startsWith(first.slice(0, end))))
    end = first.lastIndexOf('/', end - 2) + 1;
  return first.slice(0, end);
}
