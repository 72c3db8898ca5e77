import { createHash } from 'node:crypto';
import type { Fix, FixDescription, Health, Issue, Pattern } from 'rsi-loop';
import { isForPerson, waitOf } from '../reports/wait.js';
import type { Alert } from './notify-options.js';

const DAY_MS = 86_400_000;
/** A verdict that is older when alerts begin is history. */
const RECENT_MS = 3 * DAY_MS;
/** Time after which the same burst, or a cycle that still fails, is worth another alert. */
const REPEAT_MS = DAY_MS / 4;
/** Failures from which a pattern that came back is worth an alert. */
const RETURN_COUNT = 3;
/** Health has recovered when it is this far above the line. */
const DEAD_BAND = 0.02;

export interface Burst {
  readonly task: string;
  readonly issue: Issue;
  readonly count: number;
}

/** State of a loop at one time, as far as alerts concern it. */
export interface View {
  readonly nowMs: number;
  readonly patterns: readonly Pattern[];
  readonly fixes: readonly Fix[];
  readonly describe: (fix: Fix) => FixDescription;
  readonly health: Health;
  readonly bursts: readonly Burst[];
  /** Why the newest cycle was cut short, if one was since the last look. */
  readonly cycleProblem?: string;
}

/** Time of each alert that was sent, by the key of its matter. Holds no recorded text. */
export type Sent = Readonly<Record<string, number>>;

/** Something that is worth an alert. */
export type Matter = { readonly key: string } & (
  | { readonly alert: 'new-pattern' | 'returned-pattern'; readonly pattern: Pattern }
  | { readonly alert: 'burst'; readonly burst: Burst }
  | { readonly alert: 'proposal' | 'verdict'; readonly fix: Fix }
  | { readonly alert: 'health'; readonly isBack: boolean }
  | { readonly alert: 'cycle-failing'; readonly why: string }
);

export interface Rules {
  readonly alerts: ReadonlySet<Alert>;
  readonly healthBelow?: number | undefined;
}

/** Returns the matters that were not sent yet, and what to remember once they are. */
export function newMatters(view: View, sent: Sent, rules: Rules): { matters: readonly Matter[]; next: Sent } {
  const next = new Map(Object.entries(sent));
  for (const pattern of view.patterns) if (pattern.trend === 'resolved') next.delete(`back ${pattern.id}`);
  const matters = [...mattersOf(view, sent), ...healthMatters(view, next, rules)].filter(
    ({ key, alert }) => rules.alerts.has(alert) && !sentBefore(next, key, alert, view.nowMs),
  );
  for (const matter of matters) {
    next.set(matter.key, view.nowMs);
    // Once it is steady again, it is not new.
    if (matter.alert === 'returned-pattern') next.set(`new ${matter.pattern.id}`, view.nowMs);
  }
  const live = new Set(mattersOf(view, {}).map(({ key }) => key));
  for (const [key, sentMs] of next) {
    if (!live.has(key) && key !== 'health' && sentMs < view.nowMs - 90 * DAY_MS) next.delete(key);
  }
  return { matters, next: Object.fromEntries(next) };
}

function sentBefore(sent: ReadonlyMap<string, number>, key: string, alert: Alert, nowMs: number): boolean {
  const sentMs = sent.get(key);
  if (sentMs === undefined) return false;
  const repeats = alert === 'burst' || alert === 'cycle-failing';
  return !repeats || sentMs > nowMs - REPEAT_MS;
}

function mattersOf(view: View, sent: Sent): readonly Matter[] {
  const { cycleProblem, fixes, patterns, bursts } = view;
  return [
    ...(cycleProblem === undefined ? [] : [{ key: 'cycle', alert: 'cycle-failing', why: cycleProblem } as const]),
    ...fixes.flatMap((fix) => fixMatters(fix, view)),
    ...patterns.flatMap(patternMatters),
    ...bursts.flatMap((burst) => burstMatters(burst, view, sent)),
  ];
}

function fixMatters(fix: Fix, { describe, nowMs }: View): readonly Matter[] {
  const { id, verdict, attempt } = fix;
  const isRecent = verdict !== undefined && verdict.atMs > nowMs - RECENT_MS;
  return [
    ...(isRecent ? [{ key: `verdict ${id} ${verdict.atMs}`, alert: 'verdict', fix } as const] : []),
    ...(isForPerson(waitOf(fix, describe(fix).needsPerson))
      ? [{ key: `decide ${id} ${attempt}`, alert: 'proposal', fix } as const]
      : []),
  ];
}

function patternMatters(pattern: Pattern): readonly Matter[] {
  const { id, trend, recurring } = pattern;
  if (!recurring || trend === 'resolved') return [];
  if (trend === 'returned') {
    // One failure in a hold-out, which has no fix, is no return.
    return failuresSinceReturn(pattern) < RETURN_COUNT
      ? []
      : [{ key: `back ${id}`, alert: 'returned-pattern', pattern }];
  }
  return [{ key: `new ${id}`, alert: 'new-pattern', pattern }];
}

/** Returns how often a pattern occurred since it came back. */
export function failuresSinceReturn({ sinceReturn }: Pattern): number {
  return sinceReturn ? Math.round(sinceReturn.value * sinceReturn.of) : 0;
}

/** Three failures in a quarter of an hour are no news for a pattern that was sent before, unless it rises. */
function burstMatters(burst: Burst, { patterns, nowMs }: View, sent: Sent): readonly Matter[] {
  const isSaid = patterns.some(({ id, task, issue, trend }) => {
    if (task !== burst.task || issue !== burst.issue) return false;
    const sentMs = Math.max(sent[`new ${id}`] ?? 0, sent[`back ${id}`] ?? 0);
    return sentMs > (trend === 'rising' ? nowMs - DAY_MS : 0);
  });
  return isSaid ? [] : [{ key: `burst ${hashOf(burst.task, burst.issue)}`, alert: 'burst', burst }];
}

/** Changes `sent` for a recovery, so that the next fall is sent again. */
function healthMatters({ health, nowMs }: View, sent: Map<string, number>, { healthBelow }: Rules): readonly Matter[] {
  if (healthBelow === undefined || !health.known) return [];
  if (health.score < healthBelow) return [{ key: 'health', alert: 'health', isBack: false }];
  if (health.score < Math.min(1, healthBelow + DEAD_BAND) || !sent.delete('health')) return [];
  return [{ key: `health-back ${nowMs}`, alert: 'health', isBack: true }];
}

/** Task names are recorded text, which is not stored once more. */
function hashOf(task: string, issue: string): string {
  return createHash('sha256')
    .update(JSON.stringify([task, issue]))
    .digest('hex')
    .slice(0, 16);
}
