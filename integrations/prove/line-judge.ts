import { claims, eNeeded } from './claims.js';
import { EffectInterval, type LineEffect } from './effect-interval.js';
import { LineBet } from './line-bet.js';
import { type LineCosts, LineTotals } from './line-totals.js';
import { OutcomeModel, probability, type SessionPrediction } from './outcome-model.js';
import type { JudgedSession } from './session-order.js';
import type { LineState } from './study-entry.js';

/** Effect for which a forecast is made: it halves or doubles the odds of failure. */
const LOG_TWO = Math.LN2;
/** The bets spread their stakes over several effects, in two directions. */
const SPREAD_OF_STAKES = /* @__PURE__ */ Math.log(2 / 0.8);
/** Decay of the mean information of a session. */
const DECAY = 0.98;
/** Beyond this many sessions, a forecast says that the line cannot be tested. */
const MOST_SESSIONS = 100_000;

/** Verdict on a line, as far as the evidence allows. */
export type LineVerdict = 'helps' | 'harms' | 'undecided';

/** Result for one line so far. */
export interface LineFigures {
  readonly verdict: LineVerdict;
  readonly effect: LineEffect;
  readonly eHelps: number;
  readonly eHarms: number;
  /** Sessions in which a coin decided about the line. */
  readonly sessions: number;
  /** Session after which the verdict was reached, from 1; absent without one. */
  readonly decidedAfter?: number;
  /**
   * Further sessions needed if the line halves or doubles the odds of failure: an estimate. Absent for a verdict, and
   * if sessions fail too rarely or too often to tell.
   */
  readonly sessionsNeeded?: number;
  /** Mean cost of sessions with and without the line, where results state it. Reported, never decisive. */
  readonly costs: LineCosts;
}

/**
 * Judges all lines of a study from its sessions, in their order. Each line has its own bet, which allows for the other
 * lines by a regression of earlier sessions. A verdict is final.
 */
export class Judge {
  readonly #share: number;
  readonly #model: OutcomeModel;
  readonly #bets: readonly LineBet[];
  readonly #intervals: readonly EffectInterval[];
  readonly #totals: readonly LineTotals[];
  readonly #verdicts: LineVerdict[];
  readonly #decidedAfter: (number | undefined)[];
  readonly #features: Float64Array;
  #sessions = 0;
  /** Mean log growth of a bet that supposes the right effect, in one session; recent sessions weigh more. */
  #growth = 0;
  #growthWeight = 0;

  constructor(lines: number, share: number) {
    const forEach = <T>(make: () => T) => Array.from({ length: lines }, make);
    this.#share = share;
    this.#model = new OutcomeModel(lines);
    this.#bets = forEach(() => new LineBet());
    this.#intervals = forEach(() => new EffectInterval(share));
    this.#totals = forEach(() => new LineTotals());
    this.#verdicts = forEach(() => 'undecided');
    this.#decidedAfter = forEach(() => undefined);
    this.#features = new Float64Array(lines + 1);
  }

  get sessions(): number {
    return this.#sessions;
  }

  get verdicts(): readonly LineVerdict[] {
    return this.#verdicts;
  }

  /** Adds the next session in the order of beginnings. */
  add(session: JudgedSession): void {
    const { lines, tasks, failures, ended } = session;
    this.#sessions++;
    const features = this.#features;
    for (let line = 0; line < lines.length; line++) features[line] = isIn(lines, line) ? 0.5 : -0.5;
    features[lines.length] = 1;
    const prediction = this.#model.predict(features);
    for (let line = 0; line < lines.length; line++) {
      if (!isDrawn(lines, line)) continue;
      this.#bet(line, session, prediction);
      if (ended) this.#totals[line]?.add(isIn(lines, line), ended);
    }
    this.#learnGrowth(prediction, tasks);
    this.#model.learn(features, prediction, tasks, failures);
    this.#decide();
  }

  figures(): readonly LineFigures[] {
    const growth = this.#growthWeight > 0 ? this.#growth / this.#growthWeight : 0;
    const decided = this.#verdicts.filter((verdict) => verdict !== 'undecided').length;
    return this.#bets.map((bet, line): LineFigures => {
      const verdict = this.#verdicts[line] ?? 'undecided';
      const interval = this.#intervals[line] ?? new EffectInterval(this.#share);
      const { eHelps, eHarms } = bet;
      const decidedAfter = this.#decidedAfter[line];
      const missing =
        Math.log(eNeeded(decided, this.#bets.length)) + SPREAD_OF_STAKES - Math.log(Math.max(eHelps, eHarms));
      const needed = Math.ceil(Math.max(1, missing / growth));
      return {
        verdict,
        effect: agreeing(interval.effect(), verdict),
        eHelps,
        eHarms,
        sessions: interval.sessions,
        ...(decidedAfter !== undefined && { decidedAfter }),
        ...(verdict === 'undecided' && needed <= MOST_SESSIONS && { sessionsNeeded: needed }),
        costs: this.#totals[line]?.costs() ?? {},
      };
    });
  }

  #bet(line: number, { lines, tasks, failures }: JudgedSession, prediction: SessionPrediction): void {
    const { logOdds, shrink } = prediction.without(line);
    const hasLine = isIn(lines, line);
    const share = this.#share;
    this.#intervals[line]?.add(hasLine, share, failures / tasks, probability(shrink * logOdds));
    // A verdict is final: its evidence stays, and later sessions refine only the interval.
    if (this.#verdicts[line] !== 'undecided') return;
    const weight = this.#model.weightOf(tasks);
    this.#bets[line]?.bet({ isIn: hasLine, share, tasks, failures, weight, logOdds, shrink });
  }

  #decide(): void {
    claims(this.#bets.map(({ eAny }) => eAny)).forEach((isClaimed, line) => {
      const bet = this.#bets[line];
      if (!isClaimed || !bet || this.#verdicts[line] !== 'undecided') return;
      this.#verdicts[line] = bet.eHelps > bet.eHarms ? 'helps' : 'harms';
      this.#decidedAfter[line] = this.#sessions;
    });
  }

  #learnGrowth({ logOdds }: SessionPrediction, tasks: number): void {
    const rate = probability(logOdds);
    const information = this.#model.weightOf(tasks) * tasks * rate * (1 - rate) * LOG_TWO ** 2;
    const coin = this.#share * (1 - this.#share);
    this.#growth = this.#growth * DECAY + (information * coin) / 2;
    this.#growthWeight = this.#growthWeight * DECAY + 1;
  }
}

function isIn(lines: string, line: number): boolean {
  return lines[line] === ('i' satisfies LineState) || lines[line] === ('I' satisfies LineState);
}

function isDrawn(lines: string, line: number): boolean {
  return lines[line] === ('i' satisfies LineState) || lines[line] === ('o' satisfies LineState);
}

/** Returns the interval without the side that the verdict excludes. */
function agreeing({ value, low, high }: LineEffect, verdict: LineVerdict): LineEffect {
  if (verdict === 'helps') return { value: Math.min(0, value), low, high: Math.min(0, high) };
  return verdict === 'harms' ? { value: Math.max(0, value), low: Math.max(0, low), high } : { value, low, high };
}
