import type { Pattern, PatternKind } from '../contract/pattern.js';

/**
 * Returns whether a pattern of this kind is a measure: successful work that took longer or cost more than usual.
 * Measures are listed apart from failures and never above them.
 */
export function isMeasure(kind: PatternKind): boolean {
  return kind === 'slow' || kind === 'costly';
}

/** Period of time, in epoch milliseconds. */
export interface Period {
  readonly sinceMs: number;
  readonly untilMs: number;
}

type Ranked = Pick<Pattern, 'id' | 'kind' | 'task' | 'issue' | 'impact'>;

/**
 * Returns patterns in the order of every list of them: failures before measures, then the task and issue with the
 * highest impact together with all its wordings. Commands, alerts and the dashboard share this order.
 */
export function rankPatterns<Each extends Ranked>(patterns: readonly Each[]): Each[] {
  return groupPatterns(patterns).flatMap((group) => group.patterns);
}

/** Patterns of one kind, task and issue: the same failure in different words. */
export interface PatternGroup<Each> {
  /** Sum of the impact scores. */
  readonly impact: number;
  /** Patterns, highest impact first. */
  readonly patterns: readonly Each[];
}

/** Groups patterns by kind, task and issue, in the order of `rankPatterns`. */
export function groupPatterns<Each extends Ranked>(patterns: readonly Each[]): readonly PatternGroup<Each>[] {
  const groups = new Map<string, Each[]>();
  for (const pattern of patterns) {
    const key = `${pattern.kind}\u0000${pattern.task}\u0000${pattern.issue}`;
    const group = groups.get(key);
    if (group) group.push(pattern);
    else groups.set(key, [pattern]);
  }
  return [...groups]
    .map(([key, group]) => {
      const impact = group.reduce((sum, pattern) => sum + pattern.impact.score, 0);
      const ordered = group.sort((a, b) => b.impact.score - a.impact.score || compare(a.id, b.id));
      return { key, impact, patterns: ordered, place: Number(group[0] !== undefined && isMeasure(group[0].kind)) };
    })
    .sort((a, b) => a.place - b.place || b.impact - a.impact || compare(a.key, b.key))
    .map(({ impact, patterns }) => ({ impact, patterns }));
}

/** The costliest pattern of a group, and the counts of all its wordings together. */
export interface GroupTotal extends Pick<Pattern, 'count' | 'rate'> {
  readonly first: Pattern;
}

export function totalOf({ patterns }: PatternGroup<Pattern>): GroupTotal {
  const [first, ...others] = patterns;
  if (!first) throw new TypeError('a group has at least one pattern');
  if (others.length === 0) return { first, count: first.count, rate: first.rate };
  const count = patterns.reduce((sum, pattern) => sum + pattern.count, 0);
  const of = Math.max(...patterns.map(({ rate }) => rate.of));
  // Bounds that hold for the sum: no less than its largest part, no more than all parts together.
  const low = Math.max(...patterns.map(({ rate }) => rate.low));
  const high = Math.min(
    1,
    patterns.reduce((sum, { rate }) => sum + rate.high, 0),
  );
  return { first, count, rate: { value: of === 0 ? 0 : Math.min(1, count / of), low, high, of } };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
