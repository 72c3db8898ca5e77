import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { LoopError } from 'rsi-loop';
import { type Comparison, compareRecorded, type ProblemResult, type RecordedOptions } from 'rsi-loop/bench';
import { isObject } from '../config/check-config.js';
import { parseJson } from '../config/load-file.js';

const FORMATS: readonly unknown[] = ['rsi-bench-run/1', 'rsi-bench-baseline/1'];

/** Scores that `rsi bench run --json` or `baseline --json` has printed. */
interface SavedRuns {
  readonly suite: string;
  readonly results: readonly ProblemResult[];
  /** Group of each problem that has one. */
  readonly groups: ReadonlyMap<string, string>;
}

/** Whether names are files of saved runs. */
export function areSaved(names: readonly string[]): boolean {
  return names.length > 0 && names.every((name) => name.endsWith('.json'));
}

/**
 * Compares two saved runs of one suite, paired by problem. The mean of each problem is one pair.
 * @throws LoopError `invalid-input` for other files, or runs of two suites.
 */
export function compareSaved(
  names: readonly string[],
  options: RecordedOptions,
): { readonly suite: string; readonly comparison: Comparison } {
  const [old, fresh, ...more] = names;
  if (old === undefined || fresh === undefined || more.length > 0)
    throw new LoopError('invalid-input', 'compare takes two saved runs: rsi bench compare old.json new.json');
  const [before, now] = [readSaved(old), readSaved(fresh)];
  if (before.suite !== now.suite)
    throw new LoopError('invalid-input', `${old} is of the suite ${before.suite}, and ${fresh} of ${now.suite}`);
  const settings = { ...options, name: basename(fresh), groupOf: (id: string) => now.groups.get(id) };
  return { suite: now.suite, comparison: compareRecorded(before.results, now.results, settings) };
}

function readSaved(path: string): SavedRuns {
  const document = parseJson(read(path), path);
  if (!isObject(document) || !FORMATS.includes(document.format) || !Array.isArray(document.problems))
    throw new LoopError(
      'invalid-input',
      `${path} is no saved run: write it with "rsi bench run --json" or "rsi bench baseline --json"`,
    );
  const groups = new Map<string, string>();
  const results = document.problems.flatMap((problem: unknown): readonly ProblemResult[] => {
    const { problemId, score, runs, group } = isObject(problem) ? problem : {};
    const isRun = typeof problemId === 'string' && typeof score === 'number' && typeof runs === 'number' && runs > 0;
    if (isRun && typeof group === 'string') groups.set(problemId, group);
    // One result for each problem. The document has no costs and times of single problems.
    return isRun ? [{ problemId, score, durationMs: 0 }] : [];
  });
  return { suite: String(document.suite), results, groups };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new LoopError('invalid-input', `there is no file ${path}: give two saved runs`, { cause });
  }
}
