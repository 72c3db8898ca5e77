import type { HealthScore, Outcome, Pattern, RSILoop } from 'rsi-loop';
import { LoopError } from 'rsi-loop';
import { judgedParts, type Period, periods, type Timelines } from 'rsi-loop/kit';
import { type ChosenTime, readChosenTime } from '../time-range.js';
import { RecentOutcomes } from './recent-outcomes.js';

/** Facts about one period: its patterns, its counts, and its outcomes. */
export interface PeriodFacts extends Period {
  readonly patterns: readonly Pattern[];
  readonly health: HealthScore;
  readonly lines: Timelines;
  readonly recent: RecentOutcomes;
  patternsOf(outcome: Outcome): readonly string[];
}

/** Periods kept at a time. Each holds up to 50,000 outcomes. */
const MAX_KEPT = 2;
const DAY_MS = 86_400_000;
const EVER: Period = { sinceMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY };

/** Periods that readers choose besides the window of the loop. Each is read from the whole journal, once. */
export class ChosenPeriods {
  readonly #loop: RSILoop;
  readonly #kept = new Map<string, Promise<PeriodFacts>>();

  constructor(loop: RSILoop) {
    this.#loop = loop;
  }

  /**
   * Returns a period.
   * @throws LoopError `invalid-input` for a text that states none, `store-failed`.
   */
  of(text: string, nowMs: number): Promise<PeriodFacts> {
    const chosen = chosenTime(text);
    const known = this.#kept.get(text);
    if (known) return known;
    const reading = read(this.#loop, chosen, nowMs);
    this.#kept.set(text, reading);
    reading.catch(() => this.#kept.delete(text));
    for (const old of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(old);
    }
    return reading;
  }

  /** Forgets what was read, because the store has new records. */
  reset(): void {
    this.#kept.clear();
  }
}

/**
 * Returns whether something that lasted from `sinceMs` to `untilMs` was in the time that the reader chose, if any. Days
 * count back from the newest outcome, and end now.
 * @throws LoopError `invalid-input` for a text that states none.
 */
export function inPeriod(
  { loop, nowMs }: { readonly loop: RSILoop; readonly nowMs: number },
  range: string | undefined,
): (lasted: Period) => boolean {
  const chosen = range ? chosenTime(range) : undefined;
  const period = chosen && boundsOf(loop, chosen, nowMs);
  if (!period) return () => true;
  const endMs = chosen?.kind === 'days' ? Number.POSITIVE_INFINITY : period.untilMs;
  return ({ sinceMs, untilMs }) => sinceMs <= endMs && untilMs >= period.sinceMs;
}

function chosenTime(text: string): ChosenTime {
  const chosen = readChosenTime(text);
  if (chosen) return chosen;
  const advice = 'give a number of days such as 30d, all, or two days such as 2026-01-06..2026-02-14';
  throw new LoopError('invalid-input', `the range is ${JSON.stringify(text.slice(0, 60))}: ${advice}`);
}

async function read(loop: RSILoop, chosen: ChosenTime, nowMs: number): Promise<PeriodFacts> {
  const asked = boundsOf(loop, chosen, nowMs);
  const recent = new RecentOutcomes(loop, { within: asked ?? EVER });
  await recent.follow();
  const { sinceMs, untilMs } = asked ?? recent.span ?? { sinceMs: nowMs - DAY_MS, untilMs: nowMs };
  // One millisecond more on both sides, so that a period of one record has a length.
  const reading = await periods.readPeriod(loop, { sinceMs: sinceMs - 1, untilMs: untilMs + 1 });
  const { patterns, health, timelines: lines, patternsOf } = reading;
  return { sinceMs, untilMs, patterns, health, lines, recent, patternsOf };
}

/** Returns the ends of a chosen time; undefined for the whole journal. Days count back from the newest outcome. */
function boundsOf(loop: RSILoop, chosen: ChosenTime, nowMs: number): Period | undefined {
  switch (chosen.kind) {
    case 'all':
      return undefined;
    case 'between':
      return chosen;
    case 'days': {
      const { untilMs } = judgedParts(loop).analyzer.window(nowMs);
      return { sinceMs: untilMs - chosen.days * DAY_MS, untilMs };
    }
    default:
      return chosen satisfies never;
  }
}
