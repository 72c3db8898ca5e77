import type { PolicyChange } from '../contract/change.js';
import type { Fix, Forecast } from '../contract/fix.js';
import type { Issue } from '../contract/issue.js';
import type { JsonObject } from '../contract/json.js';
import type { Pattern } from '../contract/pattern.js';
import { clamp, isSettingName } from '../contract/policy.js';
import type { Scope } from '../contract/scope.js';
import type { Policy, SettingLimits, SettingName, Settings } from '../contract/settings.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import type { UnitKind } from '../contract/trial.js';
import { handleRejection, isThenable } from '../lib/promises.js';
import type { RepeatRules } from '../lib/repeat.js';
import { messageOf } from '../lib/text.js';
import { type Candidate, type CatalogContext, type CatalogEntry, checkEntry } from './candidate.js';
import { CATALOG } from './catalog.js';
import { fixIdOf } from './fix-id.js';
import { isKnownClass, isPermanent } from './known-class.js';
import type { ForecastRequest, Offer } from './offer.js';
import { readCandidates } from './read-candidates.js';
import { whatFixNeeds } from './readiness.js';

/** Outcomes that a task with several models needs before a setting is proposed: the choice of model comes first. */
const MIN_OUTCOMES_WITH_MODELS = 60;

export interface PolicyProposalsOptions {
  /** Returns the settings in force for a task, without any arm. */
  readonly policyFor: (scope: Scope) => Policy;
  /** Returns the unit that a trial of these settings for this issue has to randomise. */
  readonly unitFor: (issue: Issue, settings: readonly string[]) => UnitKind;
  readonly forecast: (about: ForecastRequest) => Forecast;
  /** Returns whether a trial of these settings uses only tasks on which they can act. */
  readonly isTriggered?: (change: PolicyChange, unit: UnitKind, task: TaskStatistics) => boolean;
  /** Returns how many trials were opened for the failures of a pattern, with any result. */
  readonly attemptsOn: (pattern: Pattern) => number;
  /** Returns candidates in the order in which to try them. Default: as given. */
  readonly inOrder?: InOrder;
  /** Called when a user's catalog entry throws or proposes values outside the limits. */
  readonly report: (message: string) => void;
  readonly envelope?: SettingLimits;
  /** Decides whether tasks may run again after a failure. */
  readonly repeats: RepeatRules;
}

type InOrder = <One>(
  pattern: Pattern,
  candidates: readonly One[],
  setOf: (candidate: One) => JsonObject,
) => readonly One[];

/** Input for proposing settings. */
export interface PolicyRequest {
  readonly pattern: Pattern;
  readonly context: CatalogContext;
  readonly nowMs: number;
}

/** Builds proposals of settings: asks the catalog and keeps the values inside the limits. */
export class PolicyProposals {
  readonly #options: PolicyProposalsOptions;
  readonly #entries: CatalogEntry[] = [...CATALOG];

  constructor(options: PolicyProposalsOptions) {
    this.#options = options;
  }

  /** Adds a catalog entry. It takes precedence over the built-in ones. */
  register(entry: CatalogEntry): void {
    checkEntry(entry);
    this.#entries.unshift(entry);
  }

  /** Yields every change of settings that the catalog offers for a pattern, in the order in which to try them. */
  *offers(request: PolicyRequest): Generator<Offer> {
    const { pattern, context } = request;
    const [known, permanent] = [isKnownClass(pattern), isPermanent(pattern)];
    const { repeats, inOrder = ofCatalog } = this.#options;
    const candidates = this.#entries.flatMap((entry) => {
      const isOwn = !CATALOG.includes(entry);
      return this.#ask(entry, pattern, context).map((candidate) => ({ isOwn, candidate }));
    });
    const setOf = ({ candidate }: (typeof candidates)[number]) => settingsAsJson(candidate.set);
    for (const { isOwn, candidate } of inOrder(pattern, candidates, setOf)) {
      if (!isOwn) {
        if (candidate.safe && !known) continue;
        if (permanent && Object.keys(candidate.set).some((name) => name.startsWith('retries.'))) continue;
      }
      const scope: Scope = { ...candidate.scope, task: pattern.task };
      const target = targetOf(candidate);
      const id = fixIdOf(pattern.id, 'policy', target);
      const { set, safe = false } = candidate;
      const undo = undoOf(set, this.#options.policyFor(scope));
      const change: PolicyChange = { kind: 'policy', scope, set: settingsAsJson(set), undo };
      if (repeats.forbids(change, context.task)) continue;
      const question = repeats.question(change, context.task);
      const propose = () => this.#build({ id, target, change, safe }, candidate, request);
      yield { id, target, change, safe, isOwn, ...(question !== undefined && { question }), propose };
    }
  }

  #ask(entry: CatalogEntry, pattern: Pattern, context: CatalogContext): readonly Candidate[] {
    const { envelope, report } = this.#options;
    try {
      if (!atOnce('match', entry.match(pattern, context))) return [];
      const candidates = atOnce('propose', entry.propose(pattern, context));
      if (CATALOG.includes(entry))
        return candidates.flatMap((candidate) => fitted(candidate, context.policy, envelope));
      return readCandidates(candidates, envelope);
    } catch (error) {
      // A user's entry may throw or propose invalid values. Only its own proposal is lost.
      report(`catalog entry ${entry.name} failed on pattern ${pattern.id}: ${messageOf(error)}`);
      return [];
    }
  }

  #build(
    said: Pick<Fix, 'id' | 'target' | 'safe'> & { readonly change: PolicyChange },
    candidate: Candidate,
    { pattern, context: { task }, nowMs }: PolicyRequest,
  ): Fix {
    const unit = this.#options.unitFor(pattern.issue, Object.keys(candidate.set));
    const needs = whatFixNeeds(said.change, task, { repeats: this.#options.repeats, advised: 0 });
    const attempt = this.#options.attemptsOn(pattern) + 1;
    return {
      id: said.id,
      patternId: pattern.id,
      task: pattern.task,
      issue: pattern.issue,
      target: said.target,
      change: said.change,
      unit,
      ...(candidate.atMost && { atMost: candidate.atMost }),
      status: 'proposed',
      safe: said.safe,
      reason: candidate.reason,
      forecast: this.#options.forecast({
        rate: pattern.rate.value,
        failing: task.failures / task.outcomes,
        isTriggered: this.#options.isTriggered?.(said.change, unit, task) ?? false,
        ...{ perDay: task.perDay, observedDays: task.observedDays, unit, attempt },
      }),
      ...(needs !== undefined && { needs }),
      attempt,
      proposedMs: nowMs,
      changedMs: nowMs,
      decision: { kind: 'waiting', sinceMs: nowMs },
    };
  }
}

function ofCatalog<One>(_: Pattern, candidates: readonly One[]): readonly One[] {
  return candidates;
}

/**
 * Returns the value unchanged.
 * @throws Error if a user's entry returned a promise, because a cycle does not wait for it.
 */
function atOnce<Value>(name: string, value: Value): Value {
  if (!isThenable(value)) return value;
  handleRejection(value);
  throw new Error(`${name} returned a promise: return its value at once`);
}

/** Returns whether a task has several models and few outcomes: the choice of model comes before any setting. */
export function isTooEarly({ models, outcomes }: TaskStatistics): boolean {
  return models.length > 1 && outcomes < MIN_OUTCOMES_WITH_MODELS;
}

/** Returns the candidate with its numbers clamped to the limits; nothing if that changes no setting. */
function fitted(candidate: Candidate, policy: Policy, envelope: SettingLimits | undefined): readonly Candidate[] {
  const names = Object.keys(candidate.set).filter((name): name is SettingName => isSettingName(name, envelope));
  const inside = names.map((name) => [name, clamp(name, candidate.set[name], envelope)] as const);
  const set = Object.fromEntries(inside) as Settings; // the catalog proposes values of the right type
  const changes = names.some((name) => JSON.stringify(set[name]) !== JSON.stringify(policy[name]));
  return changes ? [{ ...candidate, set }] : [];
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
