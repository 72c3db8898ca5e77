import { contentOf } from '../lib/content-of.js';
import { messageOf } from '../lib/text.js';
import {
  clamp,
  type Envelope,
  isSettingName,
  PERMANENT,
  type Policy,
  type SettingName,
  type Settings,
} from '../policy.js';
import {
  ERROR_CATEGORIES,
  type Fix,
  type FixId,
  type Forecast,
  type Issue,
  type JsonObject,
  type Lesson,
  type Pattern,
  type RuleFile,
  type Scope,
  type TaskStatistics,
  type UnitKind,
} from '../records.js';
import { type Candidate, type CatalogContext, type CatalogEntry, checkEntry } from './candidate.js';
import { CATALOG } from './catalog.js';
import { collide } from './conflicts.js';
import { fixIdOf } from './fix-id.js';
import { readCandidates } from './read-candidates.js';
import { whatItNeeds } from './readiness.js';
import { countAttempts, isExhausted, wasTriedInVain } from './remembered.js';
import type { RuleDraft } from './rule-draft.js';
import type { RuleQuestion } from './rule-drafts.js';
import { isSaidBy, keepWords, RuleProposals, type RuleRequest } from './rule-proposals.js';
import { TaskContext } from './task-context.js';

/** Outcomes of a task that knows several models before anything is proposed: which model it is comes first. */
const MIN_OUTCOMES_WITH_MODELS = 60;
const MAX_TOLD = 1_000;
/** A proposal that expired is not made again before this, however long its failures go on. */
const REST_MS = 30 * 24 * 3_600_000;
/** Other patterns of a task that are looked at for the same rule. */
const MAX_BESIDE = 20;
const NO_TASKS: ReadonlyMap<string, TaskStatistics> = new Map();

type About = Omit<RuleRequest, 'task' | 'beside' | 'needs'> & {
  /** Open patterns, the costliest first. */
  readonly byTask: ReadonlyMap<string, readonly Pattern[]>;
  readonly tasks: ReadonlyMap<string, TaskStatistics>;
};

interface Choice {
  readonly covering: Fix | undefined;
  readonly taken: readonly Fix[];
  readonly known: ReadonlyMap<FixId, Fix>;
  readonly lessons: readonly Lesson[];
  readonly nowMs: number;
}

export interface FixerOptions {
  /** The settings in force for a task, without any arm. */
  readonly policyFor: (scope: Scope) => Policy;
  readonly recall: (pattern: Pattern) => readonly Lesson[];
  /** What a trial of these settings for this issue has to randomise. */
  readonly unitFor: (issue: Issue, settings: readonly string[]) => UnitKind;
  readonly forecast: (about: { rate: number; perDay: number; unit: UnitKind; attempt: number }) => Forecast;
  /** Told when an entry of the user's throws, proposes what the envelope forbids, or has to wait for another fix. */
  readonly report: (message: string) => void;
  readonly envelope?: Envelope;
  /** Files that a rule may be meant for. Default: no rules are proposed. */
  readonly files?: readonly RuleFile[];
  /** Rules that stand in such a file already. */
  readonly existing?: (file: RuleFile) => readonly string[];
  /** Rules that a writer gave for a pattern, asked before the templates. */
  readonly written?: (patternId: string) => readonly RuleDraft[];
  /** Why there are no better words, where somebody was asked for them. */
  readonly unwritten?: (patternId: string) => string | undefined;
}

/** From patterns to proposals: asks the catalog, remembers what failed, and never proposes the same thing twice. */
export class Fixer {
  readonly #options: FixerOptions;
  readonly #entries: CatalogEntry[] = [...CATALOG];
  /** Pairs of fixes of which one was said to wait for the other. */
  readonly #told = new Set<string>();
  readonly #rules: RuleProposals;

  constructor(options: FixerOptions) {
    this.#options = options;
    const { forecast, files = [], existing = () => [], written = () => [], unwritten = () => undefined } = options;
    this.#rules = new RuleProposals({ forecast, files, existing, written, unwritten });
  }

  /** Adds a way to mend patterns, asked before those that come with the loop. */
  register(entry: CatalogEntry): void {
    checkEntry(entry);
    this.#entries.unshift(entry);
  }

  /** New proposals, and waiting ones told again because their numbers changed. Most impact first. */
  propose(
    patterns: readonly Pattern[],
    tasks: ReadonlyMap<string, TaskStatistics>,
    known: ReadonlyMap<FixId, Fix>,
    nowMs: number,
  ): readonly Fix[] {
    const taken = [...known.values()].filter(isTaken);
    const proposals: Fix[] = [];
    const contexts = new Map<string, TaskContext>();
    const contextOf = (task: TaskStatistics) => {
      const context = contexts.get(task.task) ?? new TaskContext(task, this.#options.policyFor({ task: task.task }));
      contexts.set(task.task, context);
      return context;
    };
    const open = patterns.filter(isOpen).sort((a, b) => b.impact.score - a.impact.score);
    const byTask = new Map<string, Pattern[]>();
    for (const pattern of open) {
      const others = byTask.get(pattern.task);
      if (others) others.push(pattern);
      else byTask.set(pattern.task, [pattern]);
    }
    for (const pattern of open) {
      const task = tasks.get(pattern.task);
      if (!task) continue;
      const covering = taken.find((fix) => covers(fix, pattern));
      const lessons = this.#options.recall(pattern);
      if ((covering && covering.status !== 'proposed') || isExhausted(lessons, nowMs)) continue;
      const candidates = this.#candidates({ pattern, tasks, byTask, lessons, known, nowMs }, contextOf(task));
      const chosen = this.#choose(candidates, { covering, taken, known, nowMs, lessons });
      if (!chosen) continue;
      const before = known.get(chosen.id);
      const fix = keepWords(before, chosen);
      taken.push(fix);
      if (before?.status === 'proposed' && !isNews(before, fix)) continue;
      proposals.push(before?.status === 'proposed' ? { ...fix, proposedMs: before.proposedMs } : fix);
    }
    return proposals;
  }

  /**
   * The patterns that a writer of rules may be asked about: open, and with nothing but a rule to be proposed for them. The
   * costliest first.
   */
  questions(
    patterns: readonly Pattern[],
    tasks: ReadonlyMap<string, TaskStatistics>,
    known: ReadonlyMap<FixId, Fix>,
  ): readonly RuleQuestion[] {
    const { files = [], existing = () => [] } = this.#options;
    const open = [...known.values()].filter(isTaken);
    return patterns
      .filter((pattern) => isOpen(pattern) && tasks.has(pattern.task) && pattern.kind === 'failure')
      .filter((pattern) => open.every((fix) => !covers(fix, pattern) || mayBeWorded(fix)))
      .sort((a, b) => b.impact.score - a.impact.score)
      .map((pattern) => ({
        pattern,
        templates: this.#rules.templatesFor(pattern),
        existing: files.flatMap((file) => existing(file)),
        files,
      }));
  }

  /** Every change somebody knows for a pattern, settings before rules, the best first; made as they are asked for. */
  *#candidates(about: About, context: CatalogContext): Generator<{ readonly fix: Fix; readonly isOwn: boolean }> {
    const { pattern, lessons, nowMs, tasks } = about;
    if (!isTooEarly(context.task)) {
      for (const entry of this.#entries) {
        for (const candidate of this.#ask(entry, pattern, context)) {
          const attempt = countAttempts(lessons) + 1;
          const fix = this.#build(pattern, context.task, candidate, attempt, nowMs);
          yield { fix, isOwn: !CATALOG.includes(entry) };
        }
      }
    } else if (!isForRules(pattern.issue)) return;
    const beside = (about.byTask.get(pattern.task) ?? []).filter(({ id }) => id !== pattern.id).slice(0, MAX_BESIDE);
    const needs = whatItNeeds('rule', context.task, tasks);
    for (const fix of this.#rules.candidates({ ...about, task: context.task, beside, needs })) {
      yield { fix, isOwn: false };
    }
  }

  /** The first that is not known to be in vain, and that nothing else stands in the way of. */
  #choose(
    candidates: Iterable<{ readonly fix: Fix; readonly isOwn: boolean }>,
    { covering, taken, known, nowMs, lessons }: Choice,
  ): Fix | undefined {
    for (const { fix, isOwn } of candidates) {
      const before = known.get(fix.id);
      // What holds already and did not keep the failures away is not the answer; what nobody answered may rest.
      if (before?.status === 'reopened' || (before?.status === 'expired' && nowMs - before.changedMs < REST_MS))
        continue;
      // A proposal that waits is told again, never doubled by another one for the same failures. Only safe settings go
      // ahead of a rule that nobody has answered.
      if (covering && covering.id !== fix.id && !(isRule(covering) && fix.safe)) continue;
      if (wasTriedInVain(contentOf(fix.change), lessons, nowMs)) continue;
      if (taken.some((other) => isSaidBy(other, fix))) continue;
      const clash = taken.find((other) => other.id !== fix.id && collide(other.change, fix.change));
      if (!clash) return fix;
      // Whoever wrote an entry wonders why nothing comes of it.
      if (isOwn) this.#tellWaits(fix, clash);
    }
    return undefined;
  }

  #tellWaits({ id, target, task, issue }: Fix, clash: Fix): void {
    const pair = `${id} ${clash.id}`;
    if (this.#told.has(pair)) return;
    if (this.#told.size >= MAX_TOLD) this.#told.clear();
    this.#told.add(pair);
    const message = `${target} for ${issue} of ${task} waits: ${clash.id} (${clash.status}) sets the same in the same scope`;
    this.#options.report(message);
  }

  #ask(entry: CatalogEntry, pattern: Pattern, context: CatalogContext): readonly Candidate[] {
    const { envelope, report } = this.#options;
    try {
      if (!entry.match(pattern, context)) return [];
      const candidates = entry.propose(pattern, context);
      if (CATALOG.includes(entry))
        return candidates.flatMap((candidate) => fitted(candidate, context.policy, envelope));
      return readCandidates(candidates, envelope);
    } catch (error) {
      // An entry of the user's may throw or ask for the impossible: that costs its proposal and nothing else.
      report(`catalog entry ${entry.name} failed on pattern ${pattern.id}: ${messageOf(error)}`);
      return [];
    }
  }

  #build(pattern: Pattern, task: TaskStatistics, candidate: Candidate, attempt: number, nowMs: number): Fix {
    const scope: Scope = { ...candidate.scope, task: pattern.task };
    const target = targetOf(candidate);
    const unit = this.#options.unitFor(pattern.issue, Object.keys(candidate.set));
    const needs = whatItNeeds('policy', task, NO_TASKS);
    return {
      id: fixIdOf(pattern.id, 'policy', target),
      patternId: pattern.id,
      task: pattern.task,
      issue: pattern.issue,
      target,
      change: {
        kind: 'policy',
        scope,
        set: settingsAsJson(candidate.set),
        undo: undoOf(candidate.set, this.#options.policyFor(scope)),
      },
      unit,
      ...(candidate.atMost && { atMost: candidate.atMost }),
      status: 'proposed',
      safe: candidate.safe ?? false,
      reason: candidate.reason,
      forecast: this.#options.forecast({ rate: pattern.rate.value, perDay: task.perDay, unit, attempt }),
      ...(needs !== undefined && { needs }),
      attempt,
      proposedMs: nowMs,
      changedMs: nowMs,
      decision: { kind: 'waiting', sinceMs: nowMs },
    };
  }
}

/** The candidate with its numbers pulled into the bounds; nothing where that leaves everything as it is. */
function fitted(candidate: Candidate, policy: Policy, envelope: Envelope | undefined): readonly Candidate[] {
  const names = Object.keys(candidate.set).filter((name): name is SettingName => isSettingName(name, envelope));
  const inside = names.map((name) => [name, clamp(name, candidate.set[name], envelope)] as const);
  const set = Object.fromEntries(inside) as Settings; // the catalog proposes values of the right type, and they stay that
  const changes = names.some((name) => JSON.stringify(set[name]) !== JSON.stringify(policy[name]));
  return changes ? [{ ...candidate, set }] : [];
}

/** What the agent did, or what no second try mends: whichever model it was, a rule is what there is to propose. */
function isForRules(issue: Issue): boolean {
  const category = ERROR_CATEGORIES.find((one) => one === issue);
  return category === undefined || PERMANENT.has(category);
}

/** Recurs, and goes on. */
function isOpen({ recurring, trend }: Pattern): boolean {
  return recurring && trend !== 'resolved';
}

/** Waits for a person, in the words of a template; words that somebody may be reading are not changed again. */
function mayBeWorded(fix: Fix): boolean {
  return fix.status === 'proposed' && isRule(fix) && fix.wordedBy === undefined;
}

function isRule({ change }: Fix): boolean {
  return change.kind === 'rule';
}

function isTooEarly({ models, outcomes }: TaskStatistics): boolean {
  return models.length > 1 && outcomes < MIN_OUTCOMES_WITH_MODELS;
}

/** Stands in the way of another change to the same setting. */
function isTaken({ status }: Fix): boolean {
  return (
    status === 'proposed' ||
    status === 'approved' ||
    status === 'trial' ||
    status === 'confirmed' ||
    status === 'kept-unproven'
  );
}

function covers(fix: Fix, pattern: Pattern): boolean {
  return fix.patternId === pattern.id || (fix.task === pattern.task && fix.issue === pattern.issue);
}

/** Whether the new proposal says something a person or the next step has to know. */
function isNews(before: Fix, fix: Fix): boolean {
  return (
    before.needs !== fix.needs ||
    before.forecast.kind !== fix.forecast.kind ||
    JSON.stringify(contentOf(before.change)) !== JSON.stringify(contentOf(fix.change))
  );
}

function targetOf({ set, scope }: Candidate): string {
  const where = Object.entries(scope ?? {}).map(([key, value]) => `${key}=${value}`);
  return [Object.keys(set).sort().join('+'), ...where].join(' ');
}

function undoOf(set: Settings, policy: Policy): JsonObject {
  return Object.fromEntries(Object.keys(set).map((name) => [name, policy[name as keyof Policy] ?? null])) as JsonObject; // settings hold JSON values only
}

function settingsAsJson(set: Settings): JsonObject {
  return { ...set } as JsonObject; // settings hold JSON values only
}
