import type { Outcome } from 'rsi-loop';
import { increaseChance } from './rank-sum.js';

/** Maximum number of series kept at the same time. Further series are not watched, so memory stays bounded. */
const MAX_SERIES = 1_000;
/** Number of newest sessions kept per series. */
const MAX_SESSIONS = 400;
/** Minimum number of sessions before a change, and after it (`MIN_AFTER`). */
const MIN_BEFORE = 5;
const MIN_AFTER = 3;
/** Sessions compared before a change. The baseline moves, so older sessions are ignored. */
const MAX_BEFORE = 30;
/** Smallest factor that is reported. Smaller changes may be real but do not need attention. */
const MIN_FACTOR = 1.5;
/** Maximum probability of a change this large if nothing changed, over all moments at which it could have begun. */
const MAX_CHANCE = 0.01;
/** Price of an input token read from a cache, as a share of the price of an uncached one. */
const CACHED_PRICE = 0.1;
const DAY_MS = 86_400_000;

export type Measure = 'tokens' | 'usd' | 'ms';

/** Rise in the time or cost of a call, compared with earlier sessions of the same project, agent and model. */
export interface Rise {
  readonly kind: 'slow' | 'costly';
  readonly unit: Measure;
  readonly task: string;
  readonly project: string | null;
  readonly agent: string | null;
  readonly model: string | null;
  /** Medians over sessions, per call. Tokens read from a cache count as a tenth. */
  readonly now: number;
  readonly was: number;
  readonly sinceMs: number;
  readonly sessions: { readonly before: number; readonly after: number };
  /** Calls since then. */
  readonly calls: number;
  /** Newest sessions since then, with the files they were read from. */
  readonly open: readonly { readonly file: string; readonly session: string | null }[];
}

interface Session {
  readonly id: string;
  readonly file: string;
  fromMs: number;
  calls: number;
  readonly sums: Record<Measure, number>;
  readonly counts: Record<Measure, number>;
}

interface Series {
  readonly task: string;
  readonly project: string | undefined;
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly sessions: Map<string, Session>;
}

/**
 * Finds tasks that became slower or more expensive. The unit is the session, because calls within one are not
 * independent.
 */
export class Costs {
  readonly #series = new Map<string, Series>();

  /** Counts a success if its time is known. */
  absorb(outcome: Outcome, file: string): void {
    const { task, agent, model, durationMs, costUsd, tokens, atMs } = outcome;
    if (!outcome.success || (durationMs === undefined && costUsd === undefined && tokens === undefined)) return;
    const project = typeof outcome.context?.project === 'string' ? outcome.context.project : undefined;
    const series = this.#seriesFor({ task, agent, model, project });
    if (series === undefined) return;
    const session = sessionFor(series, outcome.session ?? `day ${Math.floor(atMs / DAY_MS)}`, file, atMs);
    session.calls++;
    session.fromMs = Math.min(session.fromMs, atMs);
    // If the price is known, it includes the tokens.
    if (costUsd !== undefined) count(session, 'usd', costUsd);
    else if (tokens)
      count(session, 'tokens', tokens.input - (1 - CACHED_PRICE) * (tokens.cachedInput ?? 0) + tokens.output);
    if (durationMs !== undefined) count(session, 'ms', durationMs);
  }

  /** Returns every rise that chance does not explain, the most expensive first. */
  rises(): readonly Rise[] {
    const found: Rise[] = [];
    for (const series of this.#series.values()) {
      const sessions = [...series.sessions.values()].sort((one, other) => one.fromMs - other.fromMs);
      for (const unit of ['usd', 'tokens', 'ms'] as const) {
        const rise = riseOf(
          series,
          sessions.filter(({ counts }) => counts[unit] > 0),
          unit,
        );
        if (rise) found.push(rise);
      }
    }
    const weight = (rise: Rise) => (rise.now / rise.was) * rise.calls;
    return found.sort((one, other) => weight(other) - weight(one));
  }

  #seriesFor(of: Omit<Series, 'sessions'>): Series | undefined {
    const key = JSON.stringify([of.project, of.agent, of.model, of.task]);
    const known = this.#series.get(key);
    if (known || this.#series.size >= MAX_SERIES) return known;
    const series = { ...of, sessions: new Map<string, Session>() };
    this.#series.set(key, series);
    return series;
  }
}

function sessionFor({ sessions }: Series, id: string, file: string, atMs: number): Session {
  const known = sessions.get(id);
  if (known) return known;
  const session = {
    id,
    file,
    fromMs: atMs,
    calls: 0,
    sums: { tokens: 0, usd: 0, ms: 0 },
    counts: { tokens: 0, usd: 0, ms: 0 },
  };
  sessions.set(id, session);
  if (sessions.size > MAX_SESSIONS) {
    const [oldest] = [...sessions.values()].sort((one, other) => one.fromMs - other.fromMs);
    if (oldest) sessions.delete(oldest.id);
  }
  return session;
}

function count({ sums, counts }: Session, unit: Measure, value: number): void {
  sums[unit] += value;
  counts[unit]++;
}

function riseOf(series: Series, sessions: readonly Session[], unit: Measure): Rise | undefined {
  const values = sessions.map(({ sums, counts }) => sums[unit] / counts[unit]);
  let best: { at: number; chance: number } | undefined;
  const splits = sessions.length - MIN_AFTER - MIN_BEFORE + 1;
  for (let at = MIN_BEFORE; at <= sessions.length - MIN_AFTER; at++) {
    const chance = increaseChance(values.slice(Math.max(0, at - MAX_BEFORE), at), values.slice(at)) * splits;
    if (chance < (best?.chance ?? MAX_CHANCE)) best = { at, chance };
  }
  if (best === undefined) return undefined;
  const { at } = best;
  const was = median(values.slice(Math.max(0, at - MAX_BEFORE), at));
  const now = median(values.slice(at));
  if (was <= 0 || now < was * MIN_FACTOR) return undefined;
  const after = sessions.slice(at);
  return {
    kind: unit === 'ms' ? 'slow' : 'costly',
    unit,
    task: series.task,
    project: series.project ?? null,
    agent: series.agent ?? null,
    model: series.model ?? null,
    now,
    was,
    sinceMs: after[0]?.fromMs ?? 0,
    sessions: { before: at, after: after.length },
    calls: after.reduce((sum, { counts }) => sum + counts[unit], 0),
    open: after
      .slice(-2)
      .reverse()
      .map(({ id, file }) => ({ file, session: id.startsWith('day ') ? null : id })),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
