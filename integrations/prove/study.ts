import { type Clock, LoopError, SystemClock } from 'rsi-loop';
import { chance, type ImprovementLog, isWithin, mustBe, type Random, showValue } from 'rsi-loop/kit';
import { Judge, type LineFigures, type LineVerdict } from './line-judge.js';
import { SessionOrder } from './session-order.js';
import type { LineState, SessionResult, StudyEntry, StudyLine, StudyOpened, StudyOutcome } from './study-entry.js';

/** Options of every study. */
export interface StudyOptions {
  /** Probability that a line is left out of a session, 0.05 to 0.5. Default 0.5, which decides soonest. */
  readonly share?: number;
  /**
   * Probability that a useless line is named, for each single line, 0.01 to 0.2: sooner, and with more false results.
   * Default: at most 5 % of the named lines are false on average, over all lines.
   */
  readonly errorRate?: number;
  /**
   * Compared outcome: failed tasks, or the time, tokens or cost of a task. Default `failures`. A session whose result lacks
   * the chosen amount does not count.
   */
  readonly outcome?: StudyOutcome;
  /** Seed of the draws. Default: drawn from `random` when the study opens. */
  readonly seed?: number;
  /** Random numbers of 0 or more, below 1. Default `Math.random`. */
  readonly random?: Random;
  /** A session that has not ended after this time counts as failed, from 1. Default 24 hours. */
  readonly deadlineMs?: number;
  readonly clock?: Clock;
  /** Name that reports show. Default: the id of the study. */
  readonly name?: string;
}

/** Result for a line, and how long it takes at the pace of the study so far. */
export interface ReportLine extends StudyLine, LineFigures {
  /** Weeks until `sessionsNeeded`; absent without it, and before the tenth session. */
  readonly weeksNeeded?: number;
  /** True if no verdict can be expected within 12 weeks, because the sessions fail too rarely or are too few. */
  readonly notTestableHere?: true;
}

/** Report of a study: a result for each line, in order. */
export interface StudyReport {
  readonly lines: readonly ReportLine[];
  /** Sessions that were judged, and those that wait for an end. */
  readonly sessions: number;
  readonly waiting: number;
  readonly startedMs: number;
  /** Probability with which each useless line is named, if the study has an error rate for each single line. */
  readonly errorRate?: number;
  /** Compared outcome, if it is not failures. */
  readonly outcome?: StudyOutcome;
  /** Tokens of all lines that harm: each later session saves them. */
  readonly tokensOfHarm: number;
}

/** Session that begins. */
export interface SessionAbout {
  /** Model that runs it, if known before the draw. */
  readonly model?: string;
  /** State of each line that is not drawn for this session: in, or out. Absent or undefined: a coin decides. */
  readonly fixed?: readonly ('I' | 'O' | undefined)[];
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Sessions after which the pace and the failure rate are known well enough for a forecast. */
const FORECAST_AFTER = 10;
const OUTCOMES: readonly StudyOutcome[] = ['failures', 'durationMs', 'tokens', 'costUsd'];
/** Longest wait for a verdict that is worth it. */
const MOST_WEEKS = 12;

/**
 * Study of lines that are left out of a random part of the sessions, independently of each other. Every draw is written
 * to the log before its session begins. Processes that share the log agree.
 */
export class Study {
  readonly #log: ImprovementLog<StudyEntry>;
  readonly #id: string;
  readonly #clock: Clock;
  readonly #order: SessionOrder;
  readonly #judge: Judge;
  readonly opened: StudyOpened;

  private constructor(log: ImprovementLog<StudyEntry>, id: string, opened: StudyOpened, clock: Clock) {
    mustBe(Array.isArray(opened?.lines), 'opened', showValue(opened), 'what Study.open has written to its log');
    this.#log = log;
    this.#id = id;
    this.opened = opened;
    this.#clock = clock;
    this.#order = new SessionOrder(opened);
    const earlier = opened.lines.map((line) => line.earlier);
    this.#judge = new Judge(earlier, opened);
  }

  /**
   * Opens the study with this id in the log, creating it if it is missing.
   * @throws LoopError `invalid-input` for an option out of range, or if the study has other lines.
   */
  static async open(
    log: ImprovementLog<StudyEntry>,
    id: string,
    lines: readonly StudyLine[],
    options: StudyOptions = {},
  ): Promise<Study> {
    const {
      share = 0.5,
      deadlineMs = DAY_MS,
      clock = new SystemClock(),
      random = Math.random,
      name,
      errorRate,
      outcome,
    } = options;
    if (!isWithin(share, 0.05, 0.5)) refuse(`share is ${showValue(share)}: give a number from 0.05 to 0.5`);
    if (!isWithin(deadlineMs, 1)) refuse(`deadlineMs is ${showValue(deadlineMs)}: give a number from 1`);
    if (errorRate !== undefined && !isWithin(errorRate, 0.01, 0.2))
      refuse(`errorRate is ${showValue(errorRate)}: give a number from 0.01 to 0.2`);
    if (outcome !== undefined && !OUTCOMES.includes(outcome))
      refuse(`outcome is ${showValue(outcome)}: give one of ${OUTCOMES.join(', ')}`);
    if (lines.length === 0) refuse('everything is kept in all sessions: there is nothing to prove');
    const atMs = clock.now();
    const seed = options.seed ?? Math.floor(chance.hashUnit(`${id} ${atMs} ${random()}`) * 0x1_0000_0000);
    const chosen = {
      ...(errorRate !== undefined && { errorRate }),
      ...(outcome !== undefined && outcome !== 'failures' && { outcome }),
      ...(name !== undefined && { name }),
    };
    if ((await firstOf(log, id)) === undefined)
      await log.add(id, { kind: 'opened', atMs, seed, share, deadlineMs, lines, ...chosen });
    // Another process may have been first: the first entry counts.
    const study = await Study.find(log, id, clock);
    const opened = study?.opened;
    if (
      !study ||
      opened?.lines.length !== lines.length ||
      lines.some(({ text }, at) => text !== opened.lines[at]?.text)
    )
      refuse(`the study ${id} has other lines: end it, or give the text with which it began`);
    study.mustCompare(outcome);
    return study;
  }

  /** Opens the study with this id; `undefined` if there is none. */
  static async find(
    log: ImprovementLog<StudyEntry>,
    id: string,
    clock: Clock = new SystemClock(),
  ): Promise<Study | undefined> {
    const opened = await firstOf(log, id);
    return opened && new Study(log, id, opened, clock);
  }

  /** @throws LoopError `invalid-input` if the study compares something else: a choice by its results would bias it. */
  mustCompare(outcome: StudyOutcome | undefined): void {
    const { outcome: own = 'failures' } = this.opened;
    if (outcome !== undefined && outcome !== own)
      refuse(`the study ${this.#id} compares ${own}, not ${outcome}: begin another one under another name`);
  }

  /**
   * Draws the lines of a session, and resolves when the draw is in the log. Returns for each line whether it is in. The
   * same session always gets the same lines.
   */
  async begin(session: string, { model, fixed = [] }: SessionAbout = {}): Promise<readonly boolean[]> {
    await this.#read();
    const known = this.#order.began(session);
    if (known) return inOf(known.lines);
    const states = this.#judge.verdicts.map((verdict, line) => fixed[line] ?? this.#stateOf(line, session, verdict));
    const lines = states.join('');
    const about = model === undefined ? {} : { model };
    await this.#log.add(this.#id, { kind: 'began', session, atMs: this.#clock.now(), lines, ...about });
    await this.#read();
    return inOf(this.#order.began(session)?.lines ?? lines);
  }

  /**
   * Records the result of a session. Only the first result of a session that began counts.
   * @throws LoopError `invalid-input` for impossible numbers.
   */
  async end(session: string, result: SessionResult): Promise<void> {
    const { tasks = 1, failures, durationMs, tokens, costUsd, followed } = result;
    if (!(Number.isSafeInteger(tasks) && tasks >= 1))
      refuse(`tasks is ${showValue(tasks)}: give a whole number from 1`);
    if (!(Number.isSafeInteger(failures) && failures >= 0 && failures <= tasks))
      refuse(`failures is ${showValue(failures)}: give a whole number from 0 to tasks (${tasks})`);
    for (const [name, value] of Object.entries({ durationMs, tokens, costUsd }))
      if (value !== undefined && !isWithin(value, 0, Number.MAX_VALUE))
        refuse(`${name} is ${showValue(value)}: give a number from 0`);
    if (followed !== undefined && !(/^[yn-]*$/.test(followed) && followed.length === this.opened.lines.length))
      refuse(`followed is ${followed}: give y, n or - for each of the ${this.opened.lines.length} lines`);
    await this.#log.add(this.#id, { kind: 'ended', session, atMs: this.#clock.now(), ...result });
  }

  async report(): Promise<StudyReport> {
    await this.#read();
    const figures = this.#judge.figures();
    const lines = this.opened.lines.flatMap((line, index) => {
      const own = figures[index];
      return own ? [{ ...line, ...own, ...this.#outlook(own) }] : [];
    });
    const tokensOfHarm = lines.reduce((sum, { verdict, tokens }) => sum + (verdict === 'harms' ? tokens : 0), 0);
    const { sessions } = this.#judge;
    const { atMs: startedMs, errorRate, outcome } = this.opened;
    const chosen = { ...(errorRate !== undefined && { errorRate }), ...(outcome !== undefined && { outcome }) };
    return { lines, sessions, waiting: this.#order.waiting, startedMs, ...chosen, tokensOfHarm };
  }

  /** Forecasts how long a verdict takes at the pace so far. */
  #outlook({ verdict, sessionsNeeded }: LineFigures): Pick<ReportLine, 'weeksNeeded' | 'notTestableHere'> {
    const { sessions } = this.#judge;
    if (verdict !== 'undecided' || sessions < FORECAST_AFTER) return {};
    const weeks = Math.max(DAY_MS, this.#clock.now() - this.opened.atMs) / WEEK_MS;
    const weeksNeeded = sessionsNeeded === undefined ? undefined : Math.ceil((sessionsNeeded * weeks) / sessions);
    const isTooLong = weeksNeeded === undefined || weeksNeeded > MOST_WEEKS;
    return { ...(weeksNeeded !== undefined && { weeksNeeded }), ...(isTooLong && { notTestableHere: true }) };
  }

  /** Reads what was added to the log, and judges the sessions that are due. */
  async #read(): Promise<void> {
    this.#order.take(await this.#log.load(this.#id));
    const nowMs = this.#clock.now();
    for (let next = this.#order.next(nowMs); next; next = this.#order.next(nowMs)) this.#judge.add(next);
  }

  /** A line that harms is left out of every further session, and one that helps is in all of them. */
  #stateOf(line: number, session: string, verdict: LineVerdict): LineState {
    if (verdict !== 'undecided') return verdict === 'harms' ? 'O' : 'I';
    return drawLine(this.opened, line, session);
  }
}

/** Draws one line of a session: the same in every process. */
export function drawLine(
  { seed, share }: Pick<StudyOpened, 'seed' | 'share'>,
  line: number,
  session: string,
): 'i' | 'o' {
  return chance.hashUnit(`${line}\n${session}`, seed) < share ? 'o' : 'i';
}

async function firstOf(log: ImprovementLog<StudyEntry>, id: string): Promise<StudyOpened | undefined> {
  const entries = await log.load(id);
  mustBe(Array.isArray(entries), 'log', `one whose load() gave ${showValue(entries)}`, 'one that gives a list');
  return entries.find((entry) => entry.kind === 'opened');
}

function inOf(lines: string): readonly boolean[] {
  return [...lines].map((state) => state === 'i' || state === 'I');
}

function refuse(message: string): never {
  throw new LoopError('invalid-input', message);
}
