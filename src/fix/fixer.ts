import { LoopError } from '../errors.js';
import { contentOf } from '../lib/content-of.js';
import { hashHex } from '../lib/hash.js';
import { messageOf } from '../lib/text.js';
import { clamp, type Envelope, isSettingName, type Policy, type SettingName, type Settings } from '../policy.js';
import type {
  Fix,
  FixId,
  Forecast,
  Issue,
  JsonObject,
  Lesson,
  Pattern,
  Scope,
  TaskStatistics,
  UnitKind,
} from '../records.js';
import type { Candidate, CatalogContext, CatalogEntry } from './candidate.js';
import { CATALOG } from './catalog.js';
import { collide } from './conflicts.js';
import { readCandidates } from './read-candidates.js';
import { countAttempts, isExhausted, wasTriedInVain } from './remembered.js';
import { TaskContext } from './task-context.js';

/** Outcomes of a task that knows several models before anything is proposed: which model it is comes first. */
const MIN_OUTCOMES_WITH_MODELS = 60;
/** Tasks that must have read their policy before a changed one can be tried on them. */
const MIN_MANAGED = 20;
const MAX_TOLD = 1_000;

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
}

/** From patterns to proposals: asks the catalog, remembers what failed, and never proposes the same thing twice. */
export class Fixer {
  readonly #options: FixerOptions;
  readonly #entries: CatalogEntry[] = [...CATALOG];
  /** Pairs of fixes of which one was said to wait for the other. */
  readonly #told = new Set<string>();

  constructor(options: FixerOptions) {
    this.#options = options;
  }

  /** Adds a way to mend patterns, asked before those that come with the loop. */
  register(entry: CatalogEntry): void {
    if (typeof entry?.match !== 'function' || typeof entry.propose !== 'function' || typeof entry.name !== 'string') {
      throw new LoopError(
        'invalid-input',
        'a catalog entry needs name, match(pattern, context) and propose(pattern, context)',
      );
    }
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
    for (const pattern of [...patterns].sort((a, b) => b.impact.score - a.impact.score)) {
      const task = tasks.get(pattern.task);
      if (!pattern.recurring || pattern.trend === 'resolved' || !task || isTooEarly(task)) continue;
      const fix = this.#propose(pattern, contextOf(task), taken, known, nowMs);
      if (!fix) continue;
      taken.push(fix);
      const before = known.get(fix.id);
      if (before?.status === 'proposed' && !isNews(before, fix)) continue;
      proposals.push(before?.status === 'proposed' ? { ...fix, proposedMs: before.proposedMs } : fix);
    }
    return proposals;
  }

  #propose(
    pattern: Pattern,
    context: CatalogContext,
    taken: readonly Fix[],
    known: ReadonlyMap<FixId, Fix>,
    nowMs: number,
  ): Fix | undefined {
    const covering = taken.find((fix) => covers(fix, pattern));
    const lessons = this.#options.recall(pattern);
    if ((covering && covering.status !== 'proposed') || isExhausted(lessons, nowMs)) return undefined;
    for (const entry of this.#entries) {
      for (const candidate of this.#ask(entry, pattern, context)) {
        const fix = this.#build(pattern, context.task, candidate, countAttempts(lessons) + 1, nowMs);
        // What holds already and did not keep the failures away is not the answer.
        if (known.get(fix.id)?.status === 'reopened') continue;
        // A proposal that waits is told again, never doubled by another one for the same failures.
        if (covering && covering.id !== fix.id) continue;
        if (wasTriedInVain(contentOf(fix.change), lessons, nowMs)) continue;
        const clash = taken.find((other) => other.id !== fix.id && collide(other.change, fix.change));
        if (clash) {
          // Whoever wrote an entry wonders why nothing comes of it.
          if (!CATALOG.includes(entry)) this.#tellWaits(fix, clash);
          continue;
        }
        return fix;
      }
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
    const ready = isReady(task);
    return {
      id: fixIdOf(pattern.id, target),
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
      ...(ready
        ? {}
        : { needs: `call loop.run(${JSON.stringify(pattern.task)}, ...) so that its tasks read their policy` }),
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

/** Whether enough tasks read their policy for a changed one to be tried on them. */
export function isReady(task: TaskStatistics | undefined): boolean {
  return task !== undefined && task.managed >= MIN_MANAGED;
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

function fixIdOf(patternId: string, target: string): FixId {
  return `fix-${hashHex(`${patternId}|policy|${target}`).slice(0, 10)}` as FixId; // this is where fix ids are made
}

function undoOf(set: Settings, policy: Policy): JsonObject {
  return Object.fromEntries(Object.keys(set).map((name) => [name, policy[name as keyof Policy] ?? null])) as JsonObject; // settings hold JSON values only
}

function settingsAsJson(set: Settings): JsonObject {
  return { ...set } as JsonObject; // settings hold JSON values only
}
