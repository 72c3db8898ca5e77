import type { Issue } from '../contract/issue.js';
import type { Outcome, TokenUse } from '../contract/outcome.js';
import type { PatternKind } from '../contract/pattern.js';
import { wilsonRate } from '../lib/statistics.js';
import type { Usual } from './baseline.js';

/** A success that was slow, costly or of low quality, and what that cost. */
export interface Outlier {
  readonly kind: Exclude<PatternKind, 'failure'>;
  readonly issue: Issue;
  /** In failed tasks. */
  readonly harm: number;
  readonly lostMs: number;
  readonly lostUsd: number;
}

/** What is usual for a task, as far as it is known. */
export interface UsualFigures {
  readonly ms?: Usual | undefined;
  readonly usd?: Usual | undefined;
  readonly tokens?: Usual | undefined;
}

/** A rated success of at most this is of low quality. */
const LOW_QUALITY = 2;
/** Using too many tokens at unknown prices, in failed tasks. */
const TOKEN_HARM = 0.1;
/** One in ten lies above the 90 % quantile of the past by itself; this share must surely be exceeded. */
const EXPECTED_SHARE = 0.15;
/** Three standard errors: every task is looked at in every cycle. */
const SURE = 3;

/** Share of the price of an input token that one read from a cache costs. */
const CACHED_PRICE = 0.1;

/** Returns the tokens of a task, with those read from a cache at their price. */
export function weighTokens({ input, output, cachedInput = 0 }: TokenUse): number {
  return input + output - (1 - CACHED_PRICE) * cachedInput;
}

/** What a success lacks compared with the past of its task. */
export function findOutliers(outcome: Outcome, usual: UsualFigures): readonly Outlier[] {
  const found: Outlier[] = [];
  const { durationMs, costUsd, tokens, quality } = outcome;
  if (usual.ms && durationMs !== undefined && durationMs > usual.ms.p90) {
    found.push({ kind: 'slow', issue: 'slow_response', harm: 0, lostMs: durationMs - usual.ms.p50, lostUsd: 0 });
  }
  if (usual.usd && costUsd !== undefined && costUsd > usual.usd.p90) {
    found.push({ kind: 'costly', issue: 'cost_overrun', harm: 0, lostMs: 0, lostUsd: costUsd - usual.usd.p50 });
  } else if (usual.tokens && tokens && weighTokens(tokens) > usual.tokens.p90) {
    found.push({ kind: 'costly', issue: 'cost_overrun', harm: TOKEN_HARM, lostMs: 0, lostUsd: 0 });
  }
  if (quality !== undefined && quality <= LOW_QUALITY) {
    // Quality 1 is as bad as a failure, 2 half as bad.
    found.push({ kind: 'low-quality', issue: 'wrong_output', harm: (3 - quality) / 2, lostMs: 0, lostUsd: 0 });
  }
  return found;
}

/** Whether `count` of `of` above the 90 % quantile of the past is a change and not the past's own tenth. */
export function isRegression(count: number, of: number): boolean {
  return wilsonRate(count, of, SURE).low > EXPECTED_SHARE;
}

const COSTLY: ReadonlySet<Issue> = new Set(['cost_overrun', 'wrong_model_tier', 'bad_routing']);

/** What kind of pattern an issue makes that a caller named on a success. */
export function kindOfNamed(issue: Issue): Outlier['kind'] {
  if (issue === 'slow_response') return 'slow';
  return COSTLY.has(issue) ? 'costly' : 'low-quality';
}
