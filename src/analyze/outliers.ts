import type { Issue } from '../contract/issue.js';
import type { Outcome, TokenUse } from '../contract/outcome.js';
import type { PatternKind } from '../contract/pattern.js';
import { wilsonRate } from '../lib/statistics.js';
import type { Usual } from './baseline.js';

/** Success that was slow, costly or of low quality, and its cost. */
export interface Outlier {
  readonly kind: Exclude<PatternKind, 'failure'>;
  readonly issue: Issue;
  /** In failed tasks. */
  readonly harm: number;
  readonly lostMs: number;
  readonly lostUsd: number;
}

/** Baseline figures of a task, as far as known. */
export interface UsualFigures {
  readonly ms?: Usual | undefined;
  readonly usd?: Usual | undefined;
  readonly tokens?: Usual | undefined;
}

/** A rated success with at most this quality is of low quality. */
const LOW_QUALITY = 2;
/** Harm of excessive tokens with unknown prices, in failed tasks. */
const TOKEN_HARM = 0.1;
/** By definition, 10 % of past values exceed the 90 % quantile. This share must be significantly exceeded. */
const EXPECTED_SHARE = 0.15;
/** Three standard errors, because every task is tested in every cycle. */
const SURE = 3;

/** Price of a cached input token relative to an uncached one. */
const CACHED_PRICE = 0.1;

/** Returns the tokens of a task, with cached tokens weighted by price. */
export function weighTokens({ input, output, cachedInput = 0 }: TokenUse): number {
  return input + output - (1 - CACHED_PRICE) * cachedInput;
}

/** Returns how a success falls short of its task's past. */
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
    // Quality 1 is as harmful as a failure, 2 half as harmful.
    found.push({ kind: 'low-quality', issue: 'wrong_output', harm: (3 - quality) / 2, lostMs: 0, lostUsd: 0 });
  }
  return found;
}

/** Returns whether `count` of `of` outcomes above the past's 90 % quantile is a regression, not the expected tenth. */
export function isRegression(count: number, of: number): boolean {
  return wilsonRate(count, of, SURE).low > EXPECTED_SHARE;
}

const COSTLY: ReadonlySet<Issue> = new Set(['cost_overrun', 'wrong_model_tier', 'bad_routing']);

/** Returns the kind of pattern for an issue that a caller named on a success. */
export function kindOfNamed(issue: Issue): Outlier['kind'] {
  if (issue === 'slow_response') return 'slow';
  return COSTLY.has(issue) ? 'costly' : 'low-quality';
}
