import { AmountRanks } from './amount-ranks.js';
import { ClaimRule } from './claims.js';
import { EffectInterval, type LineEffect } from './effect-interval.js';
import { HalvingBet } from './halving-bet.js';
import { type Evidence, LineBet } from './line-bet.js';
import { probability } from './line-regression.js';
import { type LineCosts, type LineFollowed, type LineLevel, LineTotals } from './line-totals.js';
import { ModelBets, type ModelEvidence } from './model-bets.js';
import { OutcomeModel, type SessionPrediction } from './outcome-model.js';
import { SavingBet } from './saving-bet.js';
import type { JudgedSession } from './session-order.js';
import type { LineState, StudyOutcome } from './study-entry.js';

/** Effect for which a forecast is made: it halves or doubles the odds of failure. */
const LOG_TWO = Math.LN2;
/** The bets spread their stakes over several effects. */
const SPREAD_OF_STAKES = /* @__PURE__ */ Math.log(1 / 0.8);
/** Decay of the means of which the forecast is made. */
const DECAY = 0.98;
/** Beyond this many sessions, a forecast says that the line cannot be tested. */
const MOST_SESSIONS = 100_000;

/** Verdict on a line, as far as the evidence allows. */
export type LineVerdict = 'helps' | 'harms' | 'undecided';

/** Result for one line so far. */
export interface LineFigures {
  readonly verdict: LineVerdict;
  /**
   * True for an undecided line that does not halve the failures, or does not save a third of an amount. A line that does
   * looks so with probability at most 1/10.
   */
  readonly looksUseless?: true;
  /** Difference of failure rates, with the line minus without it. Of amounts: of their mean ranks, 0 to 1. */
  readonly effect: LineEffect;
  /** Observed with and without the line: the part of the tasks that failed, or the median amount of a task. */
  readonly level?: LineLevel;
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
  /** How often sessions did what the line asks, if their calls show it. */
  readonly followed?: LineFollowed;
  /** Evidence by model, if sessions name theirs; empty for sessions of one model. */
  readonly models: readonly ModelEvidence[];
  /** Mean cost of sessions with and without the line, where results state it. Reported, never decisive. */
  readonly costs: LineCosts;
}

/** Options of a judge. */
interface JudgeOptions {
  /** Probability that a line is left out of a session. */
  readonly share: number;
  readonly errorRate?: number | undefined;
  /** Default: failures. */
  readonly outcome?: StudyOutcome | undefined;
}

/**
 * Judges all lines of a study from its sessions, in their order. Each line has its own bet, which allows for the other
 * lines by a regression of earlier sessions. A verdict is final.
 */
export class Judge {
  readonly #share: number;
  readonly #model: OutcomeModel;
  readonly #bets: readonly LineBet[];
  readonly #halving: readonly HalvingBet[];
  readonly #saving: readonly SavingBet[];
  /** Present if amounts are compared. */
  readonly #ranks: AmountRanks | undefined;
  readonly #models: ModelBets;
  readonly #rule: ClaimRule;
  readonly #intervals: readonly EffectInterval[];
  readonly #totals: readonly LineTotals[];
  readonly #verdicts: LineVerdict[];
  readonly #decidedAfter: (number | undefined)[];
  readonly #features: Float64Array;
  #sessions = 0;
  /** Sums over the sessions; recent ones weigh more. */
  readonly #pace = { sessions: 0, effective: 0, tasks: 0, failures: 0 };

  /** `lines` is their number, or the evidence of an earlier study on each, if there is one. */
  constructor(given: number | readonly (Evidence | undefined)[], { share, errorRate, outcome }: JudgeOptions) {
    const earlier = typeof given === 'number' ? Array.from({ length: given }, () => undefined) : given;
    const lines = earlier.length;
    const forEach = <T>(make: () => T) => Array.from({ length: lines }, make);
    this.#share = share;
    this.#ranks = outcome === undefined || outcome === 'failures' ? undefined : new AmountRanks();
    this.#model = new OutcomeModel(lines, this.#ranks ? 0 : undefined);
    this.#bets = earlier.map((evidence) => new LineBet(evidence));
    this.#halving = forEach(() => new HalvingBet());
    this.#saving = forEach(() => new SavingBet());
    this.#models = new ModelBets(lines);
    this.#rule = new ClaimRule(errorRate);
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
  add(given: JudgedSession): void {
    const session = this.#ranked(given);
    // Without its amount, a session says nothing.
    if (!session) return;
    const { lines, tasks, failures, ended, amount } = session;
    this.#sessions++;
    const features = this.#features;
    for (let line = 0; line < lines.length; line++) features[line] = isIn(lines, line) ? 0.5 : -0.5;
    features[lines.length] = 1;
    const prediction = this.#model.predict(features);
    for (let line = 0; line < lines.length; line++) {
      this.#totals[line]?.addFollowed(isIn(lines, line), ended?.followed?.[line]);
      if (!isDrawn(lines, line)) continue;
      this.#bet(line, session, prediction);
      this.#totals[line]?.addLevel(isIn(lines, line), session);
      if (ended) this.#totals[line]?.add(isIn(lines, line), ended);
    }
    if (amount !== undefined) this.#ranks?.add(amount);
    this.#learnPace(tasks, failures);
    this.#model.learn(features, prediction, tasks, failures);
    this.#decide();
  }

  figures(): readonly LineFigures[] {
    const growth = this.#growth();
    const decided = this.#verdicts.filter((verdict) => verdict !== 'undecided').length;
    const byModel = this.#models.evidence(this.#rule);
    return this.#bets.map((bet, line): LineFigures => {
      const verdict = this.#verdicts[line] ?? 'undecided';
      const interval = this.#intervals[line] ?? new EffectInterval(this.#share);
      const { eHelps, eHarms } = bet;
      const followed = this.#totals[line]?.followed();
      const level = this.#totals[line]?.level();
      const decidedAfter = this.#decidedAfter[line];
      const missing =
        Math.log(this.#rule.needed(decided, this.#bets.length)) + SPREAD_OF_STAKES - Math.log(Math.max(eHelps, eHarms));
      const needed = Math.ceil(Math.max(1, missing / growth));
      return {
        verdict,
        ...(verdict === 'undecided' && this.#looksUseless(line) && { looksUseless: true }),
        effect: agreeing(interval.effect(), verdict),
        ...(level && { level }),
        eHelps,
        eHarms,
        sessions: interval.sessions,
        ...(decidedAfter !== undefined && { decidedAfter }),
        ...(verdict === 'undecided' && needed <= MOST_SESSIONS && { sessionsNeeded: needed }),
        ...(followed && { followed }),
        models: (byModel[line]?.length ?? 0) > 1 ? (byModel[line] ?? []) : [],
        costs: this.#totals[line]?.costs() ?? {},
      };
    });
  }

  /** Returns a session whose amount is ranked, if amounts are compared; undefined if it has none. */
  #ranked(session: JudgedSession): JudgedSession | undefined {
    if (!this.#ranks) return session;
    return session.amount === undefined ? undefined : { ...session, ...this.#ranks.asTasks(session.amount) };
  }

  #looksUseless(line: number): boolean {
    return (this.#ranks ? this.#saving : this.#halving)[line]?.looksUseless === true;
  }

  #bet(line: number, { lines, tasks, failures, model, amount }: JudgedSession, prediction: SessionPrediction): void {
    const { logOdds, shrink } = prediction.without(line);
    const hasLine = isIn(lines, line);
    const share = this.#share;
    this.#intervals[line]?.add(hasLine, share, failures / tasks, probability(shrink * logOdds));
    // A verdict is final: its evidence stays, and later sessions refine only the interval.
    if (this.#verdicts[line] !== 'undecided') return;
    const weight = this.#model.weightOf(tasks);
    const session = { isIn: hasLine, share, tasks, failures, weight, logOdds, shrink };
    this.#bets[line]?.bet(session);
    if (this.#ranks && amount !== undefined)
      this.#saving[line]?.add({ isIn: hasLine, share, amount, weight, logOdds, shrink }, this.#ranks);
    else this.#halving[line]?.add(hasLine, share, failures / tasks, probability(shrink * logOdds));
    if (model !== undefined) this.#models.bet(model, line, session);
  }

  #decide(): void {
    this.#rule.claimed(this.#bets).forEach((verdict, line) => {
      if (!verdict || this.#verdicts[line] !== 'undecided') return;
      this.#verdicts[line] = verdict;
      this.#decidedAfter[line] = this.#sessions;
    });
  }

  #learnPace(tasks: number, failures: number): void {
    const pace = this.#pace;
    for (const [name, value] of [
      ['sessions', 1],
      ['effective', this.#model.weightOf(tasks) * tasks],
      ['tasks', tasks],
      ['failures', failures],
    ] as const)
      pace[name] = pace[name] * DECAY + value;
  }

  /** Returns the mean log growth in one session of a bet that supposes the right effect. */
  #growth(): number {
    const { sessions, effective, tasks, failures } = this.#pace;
    if (sessions === 0) return 0;
    const rate = failures / tasks;
    return ((effective / sessions) * rate * (1 - rate) * LOG_TWO ** 2 * this.#share * (1 - this.#share)) / 2;
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
