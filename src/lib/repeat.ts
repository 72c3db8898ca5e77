import type { JsonObject } from '../contract/json.js';
import type { RepeatAnswer } from '../contract/ledger-entry.js';
import { DEFAULT_POLICY } from '../contract/policy.js';
import type { Policy, Settings } from '../contract/settings.js';

/** Source of the answer whether a task may run again after a failure. The call's own answer has priority. */
export type RepeatSource = 'call' | 'host' | 'person' | 'models';

/**
 * Whether a task may run again after a failure, and the source of the answer. `may` is absent if there is no answer.
 */
export interface MayRepeat {
  readonly may?: boolean;
  readonly saidBy?: RepeatSource;
}

/** All answers on repeating one task. An absent field means no answer from that source. */
export interface RepeatFacts {
  /** `idempotent` of the call. */
  readonly call?: boolean | undefined;
  /** `idempotent` of the loop, for this task or for all. */
  readonly host?: boolean | undefined;
  /** A person's answer, stored in the ledger. */
  readonly person?: boolean | undefined;
  /** The caller lists several models and has not disabled fallback to the next. */
  readonly models?: boolean | undefined;
}

/** `idempotent` of a loop: one value for all tasks, or one per name. */
export type Idempotent = boolean | Readonly<Record<string, boolean>>;

/**
 * Decides whether a task may run again after a failure. Used by the runner, the fixer, the verifier and `explain`.
 * A "no" overrides every "yes", except that the call's own answer overrides the loop's. The error does not matter: a
 * function may have had its effect before it failed.
 */
export function mayRepeat({ call, host, person, models }: RepeatFacts): MayRepeat {
  if (call === false) return NO.call;
  if (host === false && call !== true) return NO.host;
  if (person === false) return NO.person;
  if (call === true) return YES.call;
  if (host === true) return YES.host;
  if (person === true) return YES.person;
  return models === true ? YES.models : UNKNOWN;
}

// Shared objects, because every starting task calls `mayRepeat`.
const UNKNOWN: MayRepeat = {};
const YES = {
  call: { may: true, saidBy: 'call' },
  host: { may: true, saidBy: 'host' },
  person: { may: true, saidBy: 'person' },
  models: { may: true, saidBy: 'models' },
} as const satisfies Readonly<Record<RepeatSource, MayRepeat>>;
const NO = {
  call: { may: false, saidBy: 'call' },
  host: { may: false, saidBy: 'host' },
  person: { may: false, saidBy: 'person' },
} as const satisfies Readonly<Record<string, MayRepeat>>;

/** Returns the settings of a change that may repeat a task, beyond what the user's own settings allow. */
export function repeatingSettings(set: object, own: Settings): readonly string[] {
  return Object.entries(set).flatMap(([name, value]) => (repeats(name, value, own) ? [name] : []));
}

function repeats(name: string, value: unknown, own: Settings): boolean {
  if (name === FALLBACK) return value === true && own[FALLBACK] === false;
  // The user's own retry number for this error means that the task may run again after it.
  return isRetry(name) && value !== 0 && value !== null && !((own[name] ?? 0) > 0);
}

/**
 * Returns the settings without those that would repeat a task, unless it may be repeated.
 * Removes retries that only a fix has set or, after an explicit "no", all of them.
 */
export function withoutRepeats(policy: Policy, own: Settings, may: boolean | undefined): Policy {
  if (may === true) return policy;
  const names = repeatingSettings(policy, may === false ? NOTHING_SET : own);
  if (names.length === 0) return policy;
  return Object.freeze({
    ...policy,
    ...Object.fromEntries(names.map((name) => [name, name === FALLBACK ? false : 0])),
  });
}

const FALLBACK = 'model.fallback';
const NOTHING_SET = {};

function isRetry(name: string): name is Extract<keyof Policy, `retries.${string}`> {
  return name.startsWith('retries.') && Object.hasOwn(DEFAULT_POLICY, name);
}

/** Number of calls of one task name by their answer, over the window. */
export interface RepeatCounts {
  readonly task: string;
  /** Tasks that read their policy. */
  readonly managed: number;
  /** Tasks whose caller allowed a repeat. */
  readonly repeatable: number;
  /** Tasks whose caller forbade a repeat. */
  readonly unrepeatable: number;
}

export interface RepeatRulesOptions {
  /** The host's answer, for all tasks or by name. */
  readonly idempotent?: Idempotent | undefined;
  /** The user's own settings. */
  readonly own: Settings;
  /** Answers of people, by task. */
  readonly answers: () => ReadonlyMap<string, RepeatAnswer>;
}

/** Decides about repeating tasks, from all answers this loop knows. */
export class RepeatRules {
  readonly own: Settings;
  readonly #idempotent: Idempotent | undefined;
  readonly #answers: () => ReadonlyMap<string, RepeatAnswer>;

  constructor({ idempotent, own, answers }: RepeatRulesOptions) {
    this.#idempotent = typeof idempotent === 'object' ? { ...idempotent } : idempotent;
    this.own = own;
    this.#answers = answers;
  }

  /** Decides for one starting task, based on its call. */
  ofCall(task: string, call: boolean | undefined, models: readonly unknown[] | undefined): MayRepeat {
    const host = this.#hostOf(task);
    const several = models !== undefined && models.length > 1 && new Set(models).size > 1;
    const person = this.#answers().get(task)?.mayRepeat;
    return mayRepeat({ call, host, person, models: several && this.own[FALLBACK] !== false });
  }

  /**
   * Decides for all tasks of a name, based on their calls so far. If only calls allowed it, only those calls are
   * repeated.
   */
  ofTask(counts: RepeatCounts): MayRepeat {
    const { task } = counts;
    return mayRepeat({
      call: majorityOfCalls(counts),
      host: this.#hostOf(task),
      person: this.#answers().get(task)?.mayRepeat,
    });
  }

  /** Returns whether settings of a fix may run a task more than once, beyond what the user's `own` settings allow. */
  repeats(set: JsonObject = NOTHING_SET, byOwn = true): boolean {
    return repeatingSettings(set, byOwn ? this.own : NOTHING_SET).length > 0;
  }

  /** Returns the question to answer before settings can be tried on tasks of this name; undefined if none is open. */
  question(set: JsonObject | undefined, counts: RepeatCounts): string | undefined {
    if (!this.repeats(set) || this.ofTask(counts).may !== undefined) return undefined;
    return repeatQuestion(counts.task);
  }

  /** Returns whether settings would repeat tasks that must not be repeated. */
  forbids(set: JsonObject | undefined, counts: RepeatCounts): boolean {
    return this.repeats(set) && this.ofTask(counts).may === false;
  }

  #hostOf(task: string): boolean | undefined {
    const said = this.#idempotent;
    if (said === undefined || typeof said === 'boolean') return said;
    return Object.hasOwn(said, task) ? said[task] : undefined;
  }
}

/** Returns true if enough calls for a trial may be repeated; otherwise the answer of the majority of calls. */
function majorityOfCalls({ managed, repeatable, unrepeatable }: RepeatCounts): boolean | undefined {
  if (repeatable >= ENOUGH_CALLS || (repeatable > 0 && repeatable * 2 >= managed)) return true;
  return unrepeatable > 0 && unrepeatable * 2 >= managed ? false : undefined;
}

/** Number of repeatable calls that is enough for a trial; the same minimum as for tasks that read their policy. */
const ENOUGH_CALLS = 20;

/** Returns the question about a task, with the ways to answer it. */
export function repeatQuestion(task: string): string {
  const name = JSON.stringify(task);
  return `may ${name} run twice for one task? Answer with \`rsi repeatable ${shellName(task)}\`, loop.allowRepeat(${name}, { by, reason }), or idempotent: true where it runs`;
}

function shellName(task: string): string {
  return /^[\w.:/-]+$/.test(task) ? task : JSON.stringify(task);
}
