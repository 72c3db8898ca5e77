import type { Change } from '../contract/change.js';
import type { ChangeKind, PatternFacts, Proposal } from '../contract/change-kind.js';
import type { Fix, Forecast } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { Lesson } from '../contract/lesson.js';
import type { Pattern } from '../contract/pattern.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import { addTo } from '../lib/add-to.js';
import type { RepeatRules } from '../lib/repeat.js';
import { messageOf } from '../lib/text.js';
import { isExhausted, isOverturned, wasTriedInVain } from './attempt-history.js';
import { buildFix, type ForecastRequest } from './build-fix.js';
import type { ChangeKinds } from './change-kinds.js';
import { fixIdOf } from './fix-id.js';
import { newsOf } from './news-of.js';
import { OpenFixes } from './open-fixes.js';
import { countAdvised } from './readiness.js';

const MAX_REPORTED = 1_000;
/** Time during which an expired proposal is not proposed again, even if its failures continue. */
const REST_MS = 30 * 24 * 3_600_000;

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
  readonly isBeside: boolean;
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
    const open = patterns.filter(isOpen).sort((a, b) => b.impact.score - a.impact.score);
    const byTask = new Map<string, Pattern[]>();
    for (const pattern of open) addTo(byTask, pattern.task, pattern);
    const isAsking = (fix: Fix) => this.#isAsking(fix, tasks);
    const active = [...known.active.values()];
    const cycle: CycleData = {
      tasks,
      byTask,
      advised: countAdvised(tasks),
      taken: new OpenFixes(
        active.filter((fix) => !isAsking(fix)),
        this.#needsPerson,
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
    const isBeside = covering !== undefined && isBeingTried(covering) && running === forSame.length;
    const isCovered = covering !== undefined && !isBeside && this.#isSettled(covering, pattern);
    const mayAsk = repeats.ofTask(task).may === undefined;
    if (isCovered && !mayAsk) return [];
    const lessons = recall(pattern).filter((lesson) => !isOverturned(lesson, known, task));
    if (isExhausted(lessons, nowMs, running)) return [];
    const ofTask = byTask.get(pattern.task) ?? [];
    const facts = { pattern, task, tasks, ofTask, advised, sources: pattern.sources };
    const context: PatternContext = { facts, covering, isBeside, lessons };
    const question = mayAsk ? this.#chooseQuestion(context, cycle) : undefined;
    const chosen = isCovered ? undefined : this.#choose(context, cycle);
    return [...newsOf(question, asking, known, kinds), ...newsOf(chosen, taken, known, kinds)];
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
    for (const candidate of this.#candidates(facts)) {
      const { id, question, proposal } = candidate;
      const before = known.get(id);
      const isNew = before === undefined || before.status === 'proposed' || before.status === 'superseded';
      if (question === undefined || !isNew || (covering && covering.id !== id)) continue;
      if (!wasTriedInVain(proposal.change, lessons, nowMs, this.#options.kinds))
        return this.#build(candidate, facts, nowMs);
    }
    return undefined;
  }

  /** Returns the first change that was not already tried without success and that no other fix blocks. */
  #choose(context: PatternContext, data: CycleData): Fix | undefined {
    const { facts, isBeside } = context;
    const beside = data.taken.holdingFor(facts.pattern.task);
    for (const candidate of this.#candidates(facts)) {
      if (!this.#mayPropose(candidate, context, data) || this.#isBlocked(candidate, context, beside)) continue;
      const fix = this.#build(candidate, facts, data.nowMs);
      if (!isBeside || isTestable(fix)) return fix;
    }
    return undefined;
  }

  /** Returns whether the history of the change and the waiting proposal for the same failures permit it. */
  #mayPropose({ id, question, proposal }: Candidate, context: PatternContext, { known, nowMs }: CycleData): boolean {
    const { facts, covering, isBeside, lessons } = context;
    const { change, safe = false } = proposal;
    // A change that waits for a person never goes ahead of another waiting proposal.
    const isBehind = isBeside || (covering && covering.patternId !== facts.pattern.id);
    if (question !== undefined || (isBehind && this.#needsPerson(change))) return false;
    // A reopened fix is in force and did not prevent the failures. An expired one had no answer and rests.
    const before = known.get(id);
    if (before?.status === 'reopened') return false;
    if (before?.status === 'expired' && nowMs - before.changedMs < REST_MS) return false;
    // A waiting proposal is updated, never duplicated by another one for the same failures. Only safe changes go
    // ahead of one that waits for a person.
    const mayPass = safe && covering && (this.#needsPerson(covering.change) || isBeside);
    if (covering && covering.id !== id && !mayPass) return false;
    return !wasTriedInVain(change, lessons, nowMs, this.#options.kinds);
  }

  /** Returns whether another fix of the task prevents the change. Reports a change of the host's own that must wait. */
  #isBlocked(candidate: Candidate, { facts, isBeside }: PatternContext, beside: readonly Fix[]): boolean {
    const { kinds } = this.#options;
    const { id, proposal } = candidate;
    const { change, isOwn = false } = proposal;
    if (isBeside && beside.some((other) => kinds.chooseModels(other.change, change))) return true;
    const clash = beside.find((other) => (isBeside || other.id !== id) && kinds.collide(other.change, change));
    if (clash && isOwn && !isBeside) this.#reportWaiting(candidate, facts.pattern, clash);
    return clash !== undefined || beside.some((other) => other.id !== id && kinds.areAlike(other.change, change));
  }

  /** Yields every possible change for a pattern, best first, with kinds that the loop approves before others. */
  *#candidates(facts: PatternFacts): Generator<Candidate> {
    const { kinds, repeats } = this.#options;
    for (const kind of kinds.all) {
      for (const proposal of kind.propose(facts)) {
        const settings = kinds.settings(proposal.change);
        if (repeats.forbids(settings, facts.task)) continue;
        const id = fixIdOf(facts.pattern.id, kind.kind, proposal.target);
        yield { id, kind, proposal, question: repeats.question(settings, facts.task) };
      }
      if (kind.isPreparing?.(facts.pattern)) return;
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

/** Returns whether a trial can decide about the fix without a person. */
function isTestable({ forecast, needs }: Fix): boolean {
  return forecast.kind === 'testable' && needs === undefined;
}

/** Returns whether the pattern recurs and is not resolved. */
function isOpen({ recurring, trend }: Pattern): boolean {
  return recurring && trend !== 'resolved';
}
