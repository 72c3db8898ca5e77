import type { Change } from '../contract/change.js';
import type { ChangeKind, PatternFacts, Proposal } from '../contract/change-kind.js';
import type { Fix, Forecast } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { Lesson } from '../contract/lesson.js';
import type { Pattern } from '../contract/pattern.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import { addTo } from '../lib/add-to.js';
import { rankPatterns } from '../lib/rank-patterns.js';
import type { RepeatRules } from '../lib/repeat.js';
import { messageOf } from '../lib/text.js';
import { isExhausted, isOverturned, isTooSoonToRetry } from './attempt-history.js';
import { buildFix, type ForecastRequest } from './build-fix.js';
import type { ChangeKinds } from './change-kinds.js';
import { fixIdOf } from './fix-id.js';
import { newProposal } from './new-proposal.js';
import { OpenFixes } from './open-fixes.js';
import { countAdvised } from './readiness.js';
import { goesOnUnder, type Since } from './rest-of-failures.js';

const MAX_REPORTED = 1_000;
/** Time during which an expired proposal is not proposed again, even if its failures continue. */
const REST_MS = 30 * 24 * 3_600_000;

/** Time during which a change that did nothing is not tried again. It blocks no other change. */
const VOID_REST_MS = 24 * 3_600_000;

/** Data that all patterns of one cycle share. */
interface CycleData {
  readonly tasks: ReadonlyMap<string, TaskStatistics>;
  /** Open patterns by task, highest impact first. */
  readonly byTask: ReadonlyMap<string, readonly Pattern[]>;
  readonly advised: number;
  /** Fixes that block others, and fixes that wait for an answer on whether their task may run again. */
  readonly taken: OpenFixes;
  readonly asking: OpenFixes;
  readonly known: Pick<ReadonlyMap<FixId, Fix>, 'get'>;
  readonly nowMs: number;
}

/** Pattern, with the data that decides what may be proposed for it. */
interface PatternContext {
  readonly facts: PatternFacts;
  readonly covering: Fix | undefined;
  /** Whether every fix for these failures is in a trial, so that a different setting may be tried at the same time. */
  readonly isBesideTrial: boolean;
  readonly lessons: readonly Lesson[];
}

/** Proposal of a kind, with its fix id and the question that a person has to answer before it can be tried. */
interface Candidate {
  readonly id: FixId;
  readonly kind: ChangeKind;
  readonly proposal: Proposal;
  readonly question: string | undefined;
}

/** Fixes by id, and those among them that are not finished. */
export interface KnownFixes {
  readonly fixes: Pick<ReadonlyMap<FixId, Fix>, 'get'>;
  readonly active: { values(): Iterable<Fix> };
}

export interface FixerOptions {
  readonly kinds: ChangeKinds;
  /** Decides whether tasks may run again after a failure. */
  readonly repeats: RepeatRules;
  readonly recall: (pattern: Pattern) => readonly Lesson[];
  readonly forecast: (about: ForecastRequest) => Forecast;
  /** Returns how many trials were opened for the failures of a pattern, with any result. */
  readonly attemptsOn: (pattern: Pattern) => number;
  /** Counts a pattern since a moment. Default: nothing is known, so a confirmed fix covers all of its failures. */
  readonly since?: (pattern: Pattern, fromMs: number) => Since;
  /** Called if a kind throws, or if a fix of the host waits for another. */
  readonly report: (message: string) => void;
}

/** Turns patterns into fixes: asks each kind of change, remembers what failed, never proposes the same thing twice. */
export class Fixer {
  readonly #options: FixerOptions;
  readonly #needsPerson: (change: Change) => boolean;
  /** Pairs of fixes already reported as one waiting for the other. */
  readonly #reported = new Set<string>();

  constructor(options: FixerOptions) {
    this.#options = options;
    this.#needsPerson = (change) => options.kinds.needsPerson(change);
  }

  /** Returns new proposals, and waiting ones whose numbers changed. Highest impact first. */
  propose(
    patterns: readonly Pattern[],
    tasks: ReadonlyMap<string, TaskStatistics>,
    known: KnownFixes,
    nowMs: number,
  ): readonly Fix[] {
    const open = rankPatterns(patterns.filter(isOpen));
    const byTask = new Map<string, Pattern[]>();
    for (const pattern of open) addTo(byTask, pattern.task, pattern);
    const isAsking = (fix: Fix) => this.#isAsking(fix, tasks);
    const goesOn = (fix: Fix, pattern: Pattern) => goesOnUnder(fix, pattern, (fromMs) => this.#since(pattern, fromMs));
    const active = [...known.active.values()];
    const cycle: CycleData = {
      tasks,
      byTask,
      advised: countAdvised(tasks),
      taken: new OpenFixes(
        active.filter((fix) => !isAsking(fix)),
        this.#needsPerson,
        goesOn,
      ),
      asking: new OpenFixes(active.filter(isAsking), this.#needsPerson),
      known: known.fixes,
      nowMs,
    };
    return open.flatMap((pattern) => {
      try {
        return this.#proposalsFor(pattern, cycle);
      } catch (error) {
        this.#options.report(`nothing was proposed for pattern ${pattern.id}: ${messageOf(error)}`);
        return [];
      }
    });
  }

  /** Returns the new proposals for one pattern: one that needs no answer, and one that waits for an answer. */
  #proposalsFor(pattern: Pattern, cycle: CycleData): readonly Fix[] {
    const { tasks, taken, asking, known, advised, byTask, nowMs } = cycle;
    const { kinds, repeats, recall } = this.#options;
    const task = tasks.get(pattern.task);
    if (!task) return [];
    const covering = taken.covering(pattern);
    const forSame = taken.forFailures(pattern);
    const running = forSame.filter(isBeingTried).length;
    const isBesideTrial = covering !== undefined && isBeingTried(covering) && running === forSame.length;
    const isCovered = covering !== undefined && !isBesideTrial && this.#isSettled(covering, pattern);
    const mayAsk = repeats.ofTask(task).may === undefined;
    if (isCovered && !mayAsk) return [];
    const lessons = recall(pattern).filter((lesson) => !isOverturned(lesson, known, task));
    if (isExhausted(lessons, nowMs, running)) return [];
    const ofTask = byTask.get(pattern.task) ?? [];
    const facts = { pattern, task, tasks, ofTask, advised, sources: pattern.sources };
    const context: PatternContext = { facts, covering, isBesideTrial, lessons };
    const question = mayAsk ? this.#chooseQuestion(context, cycle) : undefined;
    const chosen = isCovered ? undefined : this.#choose(context, cycle);
    return [...newProposal(question, asking, known, kinds), ...newProposal(chosen, taken, known, kinds)];
  }

  /** Returns whether the fix waits for an answer on whether its task may run again. Until then it blocks nothing. */
  #isAsking({ status, task, change }: Fix, tasks: ReadonlyMap<string, TaskStatistics>): boolean {
    const { kinds, repeats } = this.#options;
    const ofTask = status === 'proposed' ? tasks.get(task) : undefined;
    return ofTask !== undefined && repeats.question(kinds.settings(change), ofTask) !== undefined;
  }

  /**
   * Returns the first setting that would repeat tasks, if it is unknown whether they may be repeated.
   * It is proposed together with that question.
   */
  #chooseQuestion(context: PatternContext, { asking, known, nowMs }: CycleData): Fix | undefined {
    const { facts, lessons } = context;
    const covering = asking.covering(facts.pattern);
    if (covering && covering.patternId !== facts.pattern.id) return undefined;
    for (const candidate of this.#candidates(facts, known)) {
      const { id, question, proposal } = candidate;
      const before = known.get(id);
      const isNew = before === undefined || before.status === 'proposed' || before.status === 'superseded';
      if (question === undefined || !isNew || (covering && covering.id !== id)) continue;
      if (!isTooSoonToRetry(proposal.change, lessons, nowMs, this.#options.kinds))
        return this.#build(candidate, facts, nowMs);
    }
    return undefined;
  }

  /** Returns the first change that was not already tried without success and that no other fix blocks. */
  #choose(context: PatternContext, data: CycleData): Fix | undefined {
    const { facts, isBesideTrial } = context;
    const holding = data.taken.holdingFor(facts.pattern.task);
    for (const candidate of this.#candidates(facts, data.known)) {
      if (!this.#mayPropose(candidate, context, data) || this.#isBlocked(candidate, context, holding)) continue;
      const fix = this.#build(candidate, facts, data.nowMs);
      if (!isBesideTrial || isTestable(fix)) return fix;
    }
    return undefined;
  }

  /** Returns whether the history of the change and the waiting proposal for the same failures permit it. */
  #mayPropose({ id, question, proposal }: Candidate, context: PatternContext, { known, nowMs }: CycleData): boolean {
    const { facts, covering, isBesideTrial, lessons } = context;
    const { change, safe = false } = proposal;
    // A change that waits for a person never goes ahead of another waiting proposal.
    const mustWait = isBesideTrial || (covering && covering.patternId !== facts.pattern.id);
    if (question !== undefined || (mustWait && this.#needsPerson(change))) return false;
    // A reopened fix is in force and did not prevent the failures. An expired one had no answer and rests.
    const before = known.get(id);
    if (before && isInForce(before)) return false;
    if (before?.status === 'expired' && nowMs - before.changedMs < REST_MS) return false;
    if (before?.status === 'void' && nowMs - before.changedMs < VOID_REST_MS) return false;
    // A waiting proposal is updated, never duplicated by another one for the same failures. Only safe changes go
    // ahead of one that waits for a person.
    const mayPass = safe && covering && (this.#needsPerson(covering.change) || isBesideTrial);
    if (covering && covering.id !== id && !mayPass) return false;
    return !isTooSoonToRetry(change, lessons, nowMs, this.#options.kinds);
  }

  /** Returns whether another fix of the task prevents the change. Reports a change of the host's own that must wait. */
  #isBlocked(candidate: Candidate, { facts, isBesideTrial }: PatternContext, holding: readonly Fix[]): boolean {
    const { kinds } = this.#options;
    const { id, proposal } = candidate;
    const { change, isOwn = false } = proposal;
    const beside = holding.filter((other) => !this.#mayReplace(proposal, other));
    if (isBesideTrial && beside.some((other) => kinds.chooseModels(other.change, change))) return true;
    const clash = beside.find((other) => (isBesideTrial || other.id !== id) && kinds.collide(other.change, change));
    if (clash && isOwn && !isBesideTrial) this.#reportWaiting(candidate, facts.pattern, clash);
    return clash !== undefined || beside.some((other) => other.id !== id && kinds.areAlike(other.change, change));
  }

  /**
   * Returns whether the settings can take the place of a proven fix: the same ones with other values, in the same scope.
   * Control then runs with the settings in force. Close values are too similar, unless the host asks for them.
   */
  #mayReplace({ change, isOwn }: Proposal, other: Fix): boolean {
    const { kinds } = this.#options;
    if (other.status !== 'confirmed' || kinds.settings(change) === undefined) return false;
    if ((other.trial?.phase ?? 'holdout') !== 'holdout' || !kinds.replaces(other.change, change)) return false;
    const isSame = JSON.stringify(kinds.content(change)) === JSON.stringify(kinds.content(other.change));
    return !isSame && (isOwn === true || !kinds.areAlike(other.change, change));
  }

  /** Yields every possible change for a pattern, best first, with kinds that the loop approves before others. */
  *#candidates(facts: PatternFacts, known: CycleData['known']): Generator<Candidate> {
    const { kinds, repeats } = this.#options;
    for (const kind of kinds.all) {
      for (const proposal of kind.propose(facts)) {
        const settings = kinds.settings(proposal.change);
        if (repeats.forbids(settings, facts.task)) continue;
        const id = this.#idOf(facts.pattern, proposal, known);
        yield { id, kind, proposal, question: repeats.question(settings, facts.task) };
      }
      if (kind.isPreparing?.(facts.pattern)) return;
    }
  }

  #since(pattern: Pattern, fromMs: number): Since {
    return this.#options.since?.(pattern, fromMs) ?? { count: 0, of: 0 };
  }

  /**
   * Returns the id of a proposal. Settings that replace those of a proven fix with the same target are another fix, so
   * that both keep their verdicts.
   */
  #idOf({ id: patternId }: Pattern, { target, change }: Proposal, known: CycleData['known']): FixId {
    const { kinds } = this.#options;
    const content = JSON.stringify(kinds.content(change));
    for (let step = 1; ; step++) {
      const id = fixIdOf(patternId, change.kind, step === 1 ? target : `${target} (${step})`);
      const before = kinds.settings(change) && known.get(id);
      if (!before || !wasProven(before) || JSON.stringify(kinds.content(before.change)) === content) return id;
    }
  }

  #build({ id, kind, proposal }: Candidate, facts: PatternFacts, nowMs: number): Fix {
    const attempt = this.#options.attemptsOn(facts.pattern) + 1;
    return buildFix({ id, kind, proposal, facts, attempt, nowMs }, this.#options);
  }

  /**
   * Returns whether the covering fix blocks every other proposal for a pattern. It does if it is in progress, or waits
   * as the proposal of another pattern. Proposals can go ahead only of one that waits for a person.
   */
  #isSettled({ status, patternId, change }: Fix, pattern: Pattern): boolean {
    return status !== 'proposed' || (patternId !== pattern.id && !this.#needsPerson(change));
  }

  #reportWaiting({ id, proposal: { target } }: Candidate, { task, issue }: Pattern, clash: Fix): void {
    const pair = `${id} ${clash.id}`;
    if (this.#reported.has(pair)) return;
    if (this.#reported.size >= MAX_REPORTED) this.#reported.clear();
    this.#reported.add(pair);
    const message = `${target} for ${issue} of ${task} waits: ${clash.id} (${clash.status}) sets the same in the same scope`;
    this.#options.report(message);
  }
}

/**
 * Returns whether the fix is safe, and approved or in trial. Its arms are assigned independently, so trials of other
 * changes stay valid beside it.
 */
function isBeingTried({ safe, status }: Fix): boolean {
  return safe && (status === 'approved' || status === 'trial');
}

/** Returns whether the fix applies to all tasks but a holdout. */
function isInForce({ status }: Fix): boolean {
  return status === 'confirmed' || status === 'applied-unverified' || status === 'reopened';
}

/** Returns whether a trial proved the fix, which is in force or was replaced by a better one. */
function wasProven(fix: Fix): boolean {
  return isInForce(fix) || (fix.status === 'superseded' && fix.verdict?.kind === 'confirmed');
}

/** Returns whether a trial can decide about the fix without a person. */
function isTestable({ forecast, needs }: Fix): boolean {
  return forecast.kind === 'testable' && needs === undefined;
}

/** Returns whether the pattern recurs and is not resolved. */
function isOpen({ recurring, trend }: Pattern): boolean {
  return recurring && trend !== 'resolved';
}
