import type { PolicyChange } from '../contract/change.js';
import type { PatternFacts, Proposal } from '../contract/change-kind.js';
import type { JsonObject } from '../contract/json.js';
import type { Pattern } from '../contract/pattern.js';
import { clamp } from '../contract/policy.js';
import type { Scope } from '../contract/scope.js';
import type { Policy, SettingLimits, SettingName, Settings } from '../contract/settings.js';
import { handleRejection, isThenable } from '../lib/promises.js';
import type { RepeatRules } from '../lib/repeat.js';
import { messageOf } from '../lib/text.js';
import type { Candidate, CatalogContext, CatalogEntry } from './candidate.js';
import { describeTightCallLimit } from './catalog/longer-time-limit.js';
import { CATALOG } from './catalog.js';
import { harmOf } from './harms.js';
import { isKnownClass, isPermanent } from './known-class.js';
import { maySettingsHelp } from './may-settings-help.js';
import { ModelShareTable } from './model-shares.js';
import { readCandidates } from './read-candidates.js';
import { describeLimitOfOneKey } from './read-limits.js';
import { isAdviceOnly, isOnlyWatched, isTooEarly } from './readiness.js';
import { TaskContext } from './task-context.js';

export interface PolicyProposalsOptions {
  /** Returns the settings in force for a task, without any arm. */
  readonly policyFor: (scope: Scope) => Policy;
  /** The host's catalog entries. They take precedence over the built-in ones. */
  readonly entries: readonly CatalogEntry[];
  /** Returns candidates in the order in which to try them. Default: as given. */
  readonly inOrder?: InOrder;
  /**
   * Called when a user's catalog entry throws or proposes values outside the limits, and once per task whose limit
   * belongs to one of its keys or calls.
   */
  readonly report: (message: string) => void;
  readonly settingLimits?: SettingLimits;
  /** Decides whether tasks may run again after a failure. */
  readonly repeats: RepeatRules;
  /** The host's own settings. Default: none. */
  readonly own?: Settings;
  /** Returns the longest wait that a prevented failure of a task is worth, in milliseconds. Default: any wait. */
  readonly priceOf?: (task: string) => number;
}

/** Share of failures from inner tasks above which the task itself is not retried. */
const MOSTLY_INNER = 0.5;
const MOST_TOLD = 1_000;

type InOrder = <One>(
  pattern: Pattern,
  candidates: readonly One[],
  setOf: (candidate: One) => JsonObject,
) => readonly One[];

/** Builds proposals of settings: asks the catalog and keeps the values inside the limits. */
export class PolicyProposals {
  readonly #options: PolicyProposalsOptions;
  readonly #shares = new ModelShareTable();
  /** Contexts of the tasks of one cycle. */
  readonly #contexts = new WeakMap<PatternFacts['tasks'], Map<string, TaskContext>>();
  /** Issues and tasks whose limit was reported. */
  readonly #told = new Set<string>();

  constructor(options: PolicyProposalsOptions) {
    this.#options = options;
  }

  /**
   * Yields every change of settings that the catalog offers for a pattern, in the order in which to try them. Yields
   * none if no setting reaches the task's calls, because a proposal could never be tried.
   */
  *propose(facts: PatternFacts): Generator<Proposal<PolicyChange>> {
    const { pattern, task } = facts;
    if (isAdviceOnly(facts) || isOnlyWatched(task, facts.sources) || isTooEarly(task)) return;
    this.#tellLimit(facts);
    const context = this.#contextOf(facts);
    const { entries, inOrder = ofCatalog } = this.#options;
    const candidates = [...entries, ...CATALOG].flatMap((entry) => {
      const isOwn = !CATALOG.includes(entry);
      return this.#ask(entry, pattern, context).map((candidate) => ({ isOwn, candidate }));
    });
    const setOf = ({ candidate }: (typeof candidates)[number]) => settingsAsJson(candidate.set);
    for (const { isOwn, candidate } of inOrder(pattern, candidates, setOf)) {
      const { set, atMost, unit, failing } = candidate;
      const { safe, reason } = withHarm(candidate, context);
      if (isLeftOut({ set, safe, isOwn }, pattern)) continue;
      const scope: Scope = { ...candidate.scope, task: pattern.task };
      const undo = undoOf(set, this.#options.policyFor(scope));
      const change: PolicyChange = { kind: 'policy', scope, set: settingsAsJson(set), undo };
      const details = () => ({
        reason,
        ...(atMost && { atMost }),
        ...(failing !== undefined && { rate: failing }),
        failing: failing ?? task.failures / task.outcomes,
      });
      yield { target: targetOf(candidate), change, safe, isOwn, ...(unit && { unit }), details };
    }
  }

  #tellLimit({ pattern, task }: PatternFacts): void {
    const key = `${pattern.issue} ${task.task}`;
    if (this.#told.has(key) || this.#told.size >= MOST_TOLD) return;
    const message = describeLimitOfOneKey(pattern, task) ?? describeTightCallLimit(pattern, task);
    if (message === undefined) return;
    this.#told.add(key);
    this.#options.report(message);
  }

  #contextOf({ task, tasks }: PatternFacts): TaskContext {
    const contexts = this.#contexts.get(tasks) ?? new Map<string, TaskContext>();
    this.#contexts.set(tasks, contexts);
    const { policyFor, repeats, own, priceOf } = this.#options;
    const made = () =>
      new TaskContext(task, policyFor, this.#shares, repeats.ofTask(task).may, own, priceOf?.(task.task));
    const context = contexts.get(task.task) ?? made();
    contexts.set(task.task, context);
    return context;
  }

  #ask(entry: CatalogEntry, pattern: Pattern, context: CatalogContext): readonly Candidate[] {
    const { settingLimits, report } = this.#options;
    try {
      if (!atOnce('match', entry.match(pattern, context))) return [];
      const candidates = atOnce('propose', entry.propose(pattern, context));
      if (CATALOG.includes(entry))
        return candidates.flatMap((candidate) => fitted(candidate, context.policy, settingLimits));
      return readCandidates(candidates, settingLimits);
    } catch (error) {
      // A user's entry may throw or propose invalid values. Only its own proposal is lost.
      report(`catalog entry ${entry.name} failed on pattern ${pattern.id}: ${messageOf(error)}`);
      return [];
    }
  }
}

/** Returns whether a candidate may be tried without a person, and its reason with the harm that it could do. */
function withHarm(
  { set, safe = false, reason }: Candidate,
  { policy, task }: CatalogContext,
): Required<Pick<Candidate, 'safe' | 'reason'>> {
  const harm = safe ? harmOf(set, policy, task) : undefined;
  return harm === undefined ? { safe, reason } : { safe: false, reason: `${reason}; ${harm}` };
}

/** Returns whether the class or the place of the failures rules a candidate out. */
function isLeftOut(
  { set, safe, isOwn }: Pick<Candidate, 'set' | 'safe'> & { isOwn: boolean },
  pattern: Pattern,
): boolean {
  const isRetry = Object.keys(set).some((name) => name.startsWith('retries.'));
  // A failure is retried where it began. The task around it would multiply the calls.
  if (isRetry && (pattern.inner ?? 0) >= MOSTLY_INNER) return true;
  if (isOwn) return false;
  return (safe === true && !isKnownClass(pattern)) || !maySettingsHelp(pattern, Object.keys(set), isPermanent(pattern));
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
  throw new Error(`${name} returned a promise: return its value directly`);
}

/** Returns the candidate with its numbers clamped to the limits; nothing if that changes no setting. */
function fitted(candidate: Candidate, policy: Policy, settingLimits: SettingLimits | undefined): readonly Candidate[] {
  const names = Object.keys(candidate.set) as SettingName[]; // the catalog proposes built-in settings alone
  const inside = names.map((name) => [name, clamp(name, candidate.set[name], settingLimits)] as const);
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
