import type { RuleFile } from '../contract/change.js';
import type { Fix } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import { ERROR_CATEGORIES, type Issue } from '../contract/issue.js';
import type { Lesson } from '../contract/lesson.js';
import type { Pattern } from '../contract/pattern.js';
import { PERMANENT } from '../contract/settings.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import { contentOf } from '../lib/content-of.js';
import { messageOf } from '../lib/text.js';
import { isExhausted, isOverturned, wasTriedInVain } from './attempt-history.js';
import type { CatalogEntry } from './candidate.js';
import { RuleComparison } from './compare-rules.js';
import { chooseModels, collide } from './conflicts.js';
import { ModelShareTable } from './model-shares.js';
import type { Offer } from './offer.js';
import { OpenFixes } from './open-fixes.js';
import { isTooEarly, PolicyProposals, type PolicyProposalsOptions } from './policy-proposals.js';
import { countAdvised, isAdviceOnly, whatItNeeds } from './readiness.js';
import type { RuleDraft } from './rule-draft.js';
import type { RuleQuestion } from './rule-drafts.js';
import { isSaidBy, keepWords, RuleProposals } from './rule-proposals.js';
import { RECORDED_WORDS } from './rule-templates.js';
import { TaskContext } from './task-context.js';

const MAX_TOLD = 1_000;
/** Time during which an expired proposal is not proposed again, even if its failures continue. */
const REST_MS = 30 * 24 * 3_600_000;

/** Data that all patterns of one cycle share. */
interface Turn {
  readonly tasks: ReadonlyMap<string, TaskStatistics>;
  /** Open patterns by task, highest impact first. */
  readonly byTask: ReadonlyMap<string, readonly Pattern[]>;
  readonly contexts: Map<string, TaskContext>;
  readonly advised: number;
  /** Fixes that block others, and fixes that wait for an answer on whether their task may run again. */
  readonly taken: OpenFixes;
  readonly asking: OpenFixes;
  readonly known: Pick<ReadonlyMap<FixId, Fix>, 'get'>;
  readonly nowMs: number;
}

/** Pattern, with the data that decides what may be proposed for it. */
interface Case {
  readonly pattern: Pattern;
  readonly task: TaskStatistics;
  readonly covering: Fix | undefined;
  /** Whether every fix for these failures is in a trial, so that a different setting may be tried at the same time. */
  readonly isBeside: boolean;
  readonly lessons: readonly Lesson[];
}

/** Fixes by id, and those among them that are not finished. */
export interface KnownFixes {
  readonly fixes: Pick<ReadonlyMap<FixId, Fix>, 'get'>;
  readonly active: { values(): Iterable<Fix> };
}

export interface FixerOptions extends PolicyProposalsOptions {
  readonly recall: (pattern: Pattern) => readonly Lesson[];
  /**
   * Called when a user's catalog entry throws or proposes values outside the limits, or when a fix waits for another.
   */
  readonly report: (message: string) => void;
  /** Files that a rule may target. Default: no rules are proposed. */
  readonly files?: readonly RuleFile[];
  /** Returns the rules that a file already contains. */
  readonly existing?: (file: RuleFile) => readonly string[];
  /** Returns the rules that a writer gave for a pattern. They take precedence over the templates. */
  readonly written?: (patternId: string) => readonly RuleDraft[];
  /** Returns why there is no better wording, if a writer was asked. */
  readonly unwritten?: (patternId: string) => string | undefined;
}

/** Turns patterns into proposals: asks the catalog, remembers what failed and never proposes the same thing twice. */
export class Fixer {
  readonly #options: FixerOptions;
  readonly #comparison = new RuleComparison();
  readonly #shares = new ModelShareTable();
  readonly #policies: PolicyProposals;
  readonly #rules: RuleProposals;
  /** Pairs of fixes already reported as one waiting for the other. */
  readonly #told = new Set<string>();

  constructor(options: FixerOptions) {
    this.#options = options;
    const {
      forecast,
      attemptsOn,
      files = [],
      existing = () => [],
      written = () => [],
      unwritten = () => undefined,
    } = options;
    this.#policies = new PolicyProposals(options);
    this.#rules = new RuleProposals({
      comparison: this.#comparison,
      attemptsOn,
      forecast,
      files,
      existing,
      written,
      unwritten,
    });
  }

  /** Adds a catalog entry. It takes precedence over the built-in ones. */
  register(entry: CatalogEntry): void {
    this.#policies.register(entry);
  }

  /** Returns new proposals, and waiting ones whose numbers changed. Highest impact first. */
  propose(
    patterns: readonly Pattern[],
    tasks: ReadonlyMap<string, TaskStatistics>,
    known: KnownFixes,
    nowMs: number,
  ): readonly Fix[] {
    const open = patterns.filter(isOpen).sort((a, b) => b.impact.score - a.impact.score);
    const isAsking = (fix: Fix) => this.#isAsking(fix, tasks);
    const turn: Turn = {
      tasks,
      byTask: groupByTask(open),
      contexts: new Map(),
      advised: countAdvised(tasks),
      taken: new OpenFixes([...known.active.values()].filter((fix) => !isAsking(fix))),
      asking: new OpenFixes([...known.active.values()].filter(isAsking)),
      known: known.fixes,
      nowMs,
    };
    return open.flatMap((pattern) => {
      try {
        return this.#proposalsFor(pattern, turn);
      } catch (error) {
        this.#options.report(`nothing was proposed for pattern ${pattern.id}: ${messageOf(error)}`);
        return [];
      }
    });
  }

  /** Returns the new proposals for one pattern: one that needs no answer, and one that waits for an answer. */
  #proposalsFor(pattern: Pattern, turn: Turn): readonly Fix[] {
    const task = turn.tasks.get(pattern.task);
    if (!task) return [];
    const covering = turn.taken.covering(pattern);
    const forSame = turn.taken.forFailures(pattern);
    const running = forSame.filter(isBeingTried).length;
    const isBeside = covering !== undefined && isBeingTried(covering) && running === forSame.length;
    const isCovered = covering !== undefined && !isBeside && isSettled(covering, pattern);
    const mayAsk = this.#options.repeats.ofTask(task).may === undefined;
    if (isCovered && !mayAsk) return [];
    const lessons = this.#options.recall(pattern).filter((lesson) => !isOverturned(lesson, turn.known, task));
    if (isExhausted(lessons, turn.nowMs, running)) return [];
    const about: Case = { pattern, task, covering, isBeside, lessons };
    const asking = mayAsk ? this.#ask(about, turn) : undefined;
    const chosen = isCovered ? undefined : this.#choose(about, turn);
    return [...newsOf(asking, turn.asking, turn), ...newsOf(chosen, turn.taken, turn)];
  }

  /** Returns whether the fix waits for an answer on whether its task may run again. Until then it blocks nothing. */
  #isAsking(fix: Fix, tasks: ReadonlyMap<string, TaskStatistics>): boolean {
    const task = tasks.get(fix.task);
    return (
      fix.status === 'proposed' && task !== undefined && this.#options.repeats.question(fix.change, task) !== undefined
    );
  }

  /**
   * Returns the first setting that would repeat tasks, if it is unknown whether they may be repeated.
   * It is proposed together with that question.
   */
  #ask({ pattern, task, lessons }: Case, turn: Turn): Fix | undefined {
    const { known, nowMs } = turn;
    const covering = turn.asking.covering(pattern);
    if (isAdviceOnly(task, turn.advised) || isOnlyWatched(task) || isTooEarly(task)) return undefined;
    if (covering && covering.patternId !== pattern.id) return undefined;
    for (const offer of this.#policies.offers({ pattern, context: this.#contextOf(task, turn), nowMs })) {
      const before = known.get(offer.id);
      const isNew = before === undefined || before.status === 'proposed' || before.status === 'superseded';
      if (offer.question === undefined || !isNew || (covering && covering.id !== offer.id)) continue;
      if (!wasTriedInVain(contentOf(offer.change), lessons, nowMs, this.#comparison)) return offer.propose();
    }
    return undefined;
  }

  /**
   * Returns the patterns that a rule writer may be asked about: open failures for which only a rule can be proposed.
   * Highest impact first.
   */
  questions(
    patterns: readonly Pattern[],
    tasks: ReadonlyMap<string, TaskStatistics>,
    active: KnownFixes['active'],
  ): readonly RuleQuestion[] {
    const { files = [], existing = () => [] } = this.#options;
    const settled = new OpenFixes([...active.values()].filter((fix) => !mayBeWorded(fix)));
    return patterns
      .filter((pattern) => isOpen(pattern) && tasks.has(pattern.task) && pattern.kind === 'failure')
      .filter((pattern) => !settled.covering(pattern))
      .sort((a, b) => b.impact.score - a.impact.score)
      .map((pattern) => ({
        pattern,
        templates: this.#rules.templatesFor(pattern, false),
        existing: files.flatMap((file) => existing(file)),
        files,
      }));
  }

  /** Returns the first change that was not already tried without success and that no other fix blocks. */
  #choose(about: Case, turn: Turn): Fix | undefined {
    const { pattern, covering, isBeside, lessons } = about;
    const { known, nowMs } = turn;
    const beside = turn.taken.holdingFor(pattern.task);
    for (const offer of this.#offers(about, turn)) {
      const { id, change, safe, question } = offer;
      if (question !== undefined) continue;
      const before = known.get(id);
      // A reopened fix is in force and did not prevent the failures. An expired one had no answer and rests.
      if (before?.status === 'reopened' || (before?.status === 'expired' && nowMs - before.changedMs < REST_MS))
        continue;
      // A waiting proposal is updated, never duplicated by another one for the same failures. Only safe settings go
      // ahead of an unanswered rule.
      if (covering && covering.id !== id && !((isRule(covering) || isBeside) && safe)) continue;
      if (wasTriedInVain(contentOf(change), lessons, nowMs, this.#comparison)) continue;
      if (beside.some((other) => isSaidBy(other, offer, this.#comparison))) continue;
      if (isBeside && beside.some((other) => chooseModels(other.change, change))) continue;
      const clash = beside.find((other) => (isBeside || other.id !== id) && collide(other.change, change));
      if (!clash) {
        const fix = offer.propose();
        if (!isBeside || isTestable(fix)) return fix;
      } else if (offer.isOwn && !isBeside) this.#tellWaits(offer, pattern, clash);
    }
    return undefined;
  }

  /** Yields every known change for a pattern, settings before rules, best first. Each is built on demand. */
  *#offers({ pattern, task, covering, isBeside }: Case, turn: Turn): Generator<Offer> {
    const { nowMs } = turn;
    const adviceOnly = isAdviceOnly(task, turn.advised);
    if (adviceOnly || isOnlyWatched(task)) {
      // No setting reaches these calls: a proposal could never be tried.
    } else if (!isTooEarly(task)) {
      yield* this.#policies.offers({ pattern, context: this.#contextOf(task, turn), nowMs });
    } else if (!isForRules(pattern.issue)) return;
    // A rule never goes ahead of another proposal that waits for an answer.
    if (isBeside || (covering && covering.patternId !== pattern.id)) return;
    const needs = whatItNeeds('rule', task, turn.advised, pattern.sources);
    const ofTask = turn.byTask.get(pattern.task) ?? [];
    yield* this.#rules.offers({ pattern, task, ofTask, needs, adviceOnly, nowMs });
  }

  #contextOf(task: TaskStatistics, { contexts }: Turn): TaskContext {
    const known = contexts.get(task.task);
    if (known) return known;
    const { may } = this.#options.repeats.ofTask(task);
    const context = new TaskContext(task, this.#options.policyFor, this.#shares, may);
    contexts.set(task.task, context);
    return context;
  }

  #tellWaits({ id, target }: Offer, { task, issue }: Pattern, clash: Fix): void {
    const pair = `${id} ${clash.id}`;
    if (this.#told.has(pair)) return;
    if (this.#told.size >= MAX_TOLD) this.#told.clear();
    this.#told.add(pair);
    const message = `${target} for ${issue} of ${task} waits: ${clash.id} (${clash.status}) sets the same in the same scope`;
    this.#options.report(message);
  }
}

function groupByTask(patterns: readonly Pattern[]): ReadonlyMap<string, readonly Pattern[]> {
  const byTask = new Map<string, Pattern[]>();
  for (const pattern of patterns) {
    const others = byTask.get(pattern.task);
    if (others) others.push(pattern);
    else byTask.set(pattern.task, [pattern]);
  }
  return byTask;
}

/**
 * Returns whether the fix is a safe setting, approved or in trial. Its arms are assigned independently, so trials of
 * other settings stay valid beside it.
 */
function isBeingTried({ safe, status, change }: Fix): boolean {
  return safe && change.kind === 'policy' && (status === 'approved' || status === 'trial');
}

/** Returns whether a trial can decide about the fix without a person. */
function isTestable({ forecast, needs }: Fix): boolean {
  return forecast.kind === 'testable' && needs === undefined;
}

/**
 * Returns whether the covering fix blocks every other proposal for a pattern. It does if it is in progress, or waits as
 * the proposal of another pattern. Proposals can go ahead of a waiting rule only.
 */
function isSettled(covering: Fix, pattern: Pattern): boolean {
  if (covering.status !== 'proposed') return true;
  return covering.patternId !== pattern.id && !isRule(covering);
}

/**
 * Returns whether a rule is the only possible remedy: for agent mistakes, and for errors that retries cannot fix.
 * Which model it was does not matter.
 */
function isForRules(issue: Issue): boolean {
  const category = ERROR_CATEGORIES.find((one) => one === issue);
  return category === undefined || PERMANENT.has(category);
}

/** Returns whether every outcome is a captured call, so that no such task is started through the loop. */
function isOnlyWatched({ captured, managed }: TaskStatistics): boolean {
  return captured > 0 && managed === 0;
}

/** Returns whether the pattern recurs and is not resolved. */
function isOpen({ recurring, trend }: Pattern): boolean {
  return recurring && trend !== 'resolved';
}

/**
 * Returns whether the fix is a waiting rule worded by a template or by recorded text. Other wording is not changed
 * again, because a person may be reading it.
 */
function mayBeWorded(fix: Fix): boolean {
  return fix.status === 'proposed' && isRule(fix) && (fix.wordedBy ?? RECORDED_WORDS) === RECORDED_WORDS;
}

function isRule({ change }: Fix): boolean {
  return change.kind === 'rule';
}

/**
 * Returns the proposal as recorded, if it says something new. Adds it to the open fixes in any case, so that it blocks
 * others.
 */
function newsOf(chosen: Fix | undefined, among: OpenFixes, { known }: Turn): readonly Fix[] {
  if (!chosen) return [];
  const before = known.get(chosen.id);
  const fix = keepWords(before, chosen);
  among.add(fix);
  if (before?.status !== 'proposed') return [fix];
  return isNews(before, fix) ? [{ ...fix, proposedMs: before.proposedMs }] : [];
}

/** Returns whether the new proposal contains something that a person or the next step has to know. */
function isNews(before: Fix, fix: Fix): boolean {
  return (
    before.needs !== fix.needs ||
    before.forecast.kind !== fix.forecast.kind ||
    JSON.stringify(contentOf(before.change)) !== JSON.stringify(contentOf(fix.change))
  );
}
