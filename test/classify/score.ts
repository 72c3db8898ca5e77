import { existsSync, readFileSync } from 'node:fs';
import { type Classification, classifyError } from '../../src/classify/classify-error.js';
import { ERROR_CATEGORIES, type ErrorCategory } from '../../src/contract/issue.js';
import { PERMANENT } from '../../src/contract/settings.js';

export interface Labelled {
  readonly message?: string;
  readonly input?: unknown;
  readonly category: ErrorCategory;
  /** Other categories a careful reader would accept. */
  readonly also?: readonly ErrorCategory[];
  /** The class mostly passes, this cause does not: an expired certificate. */
  readonly stays?: true;
  readonly trap?: boolean;
  readonly why?: string;
}

export interface Score {
  readonly of: number;
  /** Share of answers that are the label or one of `also`. */
  readonly accuracy: number;
  /** Share of answers that are the label. */
  readonly strict: number;
  readonly macroF1: number;
  /** Permanent errors that were called retryable. */
  readonly retryablePermanent: number;
  /** Errors that pass by every label a careful reader would accept, and how many of them were called permanent. */
  readonly permanentPassing: { readonly wrong: number; readonly of: number };
  readonly traps: { readonly right: number; readonly of: number };
  readonly categories: readonly {
    readonly category: ErrorCategory;
    readonly f1: number;
    readonly missed: number;
    readonly wrong: number;
  }[];
  readonly misses: readonly { readonly row: Labelled; readonly said: ErrorCategory; readonly rule: string }[];
}

export function readLabelled(path: string): Labelled[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Labelled); // files of this format only
}

/** Classes whose errors mostly pass. */
const PASSING: ReadonlySet<ErrorCategory> = new Set(['rate_limit', 'overloaded', 'timeout', 'network', 'server_error']);

/** An answer counts as right when it is the label or one of `also`; F1 is over labels, with accepted answers counted as the label. */
export function score(rows: readonly Labelled[], classify: (input: unknown) => Classification = classifyError): Score {
  const misses: { row: Labelled; said: ErrorCategory; rule: string }[] = [];
  const counts = new Map(ERROR_CATEGORIES.map((category) => [category, { hit: 0, missed: 0, wrong: 0 }]));
  let retryablePermanent = 0;
  let exact = 0;
  const permanentPassing = { wrong: 0, of: 0 };
  const traps = { right: 0, of: 0 };
  for (const row of rows) {
    const { category, retryable, permanent, rule } = classify(row.input ?? row.message);
    const right = category === row.category || (row.also?.includes(category) ?? false);
    const label = counts.get(row.category);
    const said = counts.get(category);
    if (label) label[right ? 'hit' : 'missed']++;
    if (!right && said) said.wrong++;
    if (category === row.category) exact++;
    const passes = !row.stays && [row.category, ...(row.also ?? [])].every((one) => PASSING.has(one));
    if (passes) permanentPassing.of++;
    if (passes && permanent) permanentPassing.wrong++;
    if (row.trap) traps.of++;
    if (row.trap && right) traps.right++;
    if (!right) misses.push({ row, said: category, rule });
    if (retryable && PERMANENT.has(row.category) && !row.also?.includes(category)) retryablePermanent++;
  }
  const categories = [...counts]
    .filter(([, { hit, missed }]) => hit + missed > 0)
    .map(([category, { hit, missed, wrong }]) => ({
      category,
      f1: (2 * hit) / (2 * hit + missed + wrong),
      missed,
      wrong,
    }));
  return {
    of: rows.length,
    strict: exact / Math.max(1, rows.length),
    permanentPassing,
    accuracy: 1 - misses.length / Math.max(1, rows.length),
    macroF1: categories.reduce((sum, { f1 }) => sum + f1, 0) / Math.max(1, categories.length),
    retryablePermanent,
    traps,
    categories,
    misses,
  };
}
