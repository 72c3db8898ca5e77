import type { Change } from '../contract/change.js';
import type { RepeatAnswer } from '../contract/ledger-entry.js';
import { DEFAULT_POLICY } from '../contract/policy.js';
import type { Policy, Settings } from '../contract/settings.js';

/** Who said whether a task may run again after a failure; a call's own word goes first. */
export type RepeatSource = 'call' | 'host' | 'person' | 'models';

/** Whether a task may run again after a failure, and who said so. `may` is absent while nobody has said anything. */
export interface MayRepeat {
  readonly may?: boolean;
  readonly saidBy?: RepeatSource;
}

/** Everything that was said about repeating one task. A missing fact means that nobody said it. */
export interface RepeatFacts {
  /** `idempotent` of the call. */
  readonly call?: boolean | undefined;
  /** `idempotent` of the loop, for this task or for all. */
  readonly host?: boolean | undefined;
  /** A person's answer, kept in the ledger. */
  readonly person?: boolean | undefined;
  /** The caller lists several models and has not switched off going on with the next. */
  readonly models?: boolean | undefined;
}

/** `idempotent` of a loop: one word for all tasks, or one for each name. */
export type Idempotent = boolean | Readonly<Record<string, boolean>>;

/**
 * Decides whether a task may run again after a failure. The runner, the fixer, the verifier and `explain` all ask here.
 * A "no" outweighs every "yes", except that a call's own word outweighs the loop's. Errors play no part: a function may
 * have had its effect before it failed.
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

// One object for each answer: every task that begins asks.
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

/** The settings of a change under which a task may run more than once, beyond what the user's own settings allow. */
export function repeatingSettings(set: object, own: Settings): readonly string[] {
  return Object.entries(set).flatMap(([name, value]) => (repeats(name, value, own) ? [name] : []));
}

function repeats(name: string, value: unknown, own: Settings): boolean {
  if (name === FALLBACK) return value === true && own[FALLBACK] === false;
  // A number of one's own for this error says that the task may run again after it.
  return isRetry(name) && value !== 0 && value !== null && !((own[name] ?? 0) > 0);
}

/**
 * The settings without those that would repeat a task which may not be repeated: retries that only a fix has set or,
 * where somebody said no, all of them.
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
const NOTHING_SET: Settings = {};

function isRetry(name: string): name is Extract<keyof Policy, `retries.${string}`> {
  return name.startsWith('retries.') && Object.hasOwn(DEFAULT_POLICY, name);
}

/** What the calls of one task name said, counted over the window. */
export interface RepeatCounts {
  readonly task: string;
  /** Tasks that read their policy. */
  readonly managed: number;
  /** Tasks whose caller said that they may be repeated. */
  readonly repeatable: number;
  /** Tasks whose caller said that they may not. */
  readonly unrepeatable: number;
}

export interface RepeatRulesOptions {
  /** What the host said for all tasks or by name. */
  readonly idempotent?: Idempotent | undefined;
  /** The user's own settings. */
  readonly own: Settings;
  /** What people answered, by task. */
  readonly answers: () => ReadonlyMap<string, RepeatAnswer>;
}

/** What this loop knows about repeating tasks. */
export class RepeatRules {
  readonly own: Settings;
  readonly #idempotent: Idempotent | undefined;
  readonly #answers: () => ReadonlyMap<string, RepeatAnswer>;

  constructor({ idempotent, own, answers }: RepeatRulesOptions) {
    this.#idempotent = typeof idempotent === 'object' ? { ...idempotent } : idempotent;
    this.own = own;
    this.#answers = answers;
  }

  /** For one task that begins, by what its call says. */
  ofCall(task: string, call: boolean | undefined, models: readonly unknown[] | undefined): MayRepeat {
    const host = this.#hostOf(task);
    const several = models !== undefined && models.length > 1 && new Set(models).size > 1;
    const person = this.#answers().get(task)?.mayRepeat;
    return mayRepeat({ call, host, person, models: several && this.own[FALLBACK] !== false });
  }

  /** For tasks of a name, by what their calls said so far. Only those calls are repeated that said so themselves. */
  ofTask(counts: RepeatCounts): MayRepeat {
    const { task } = counts;
    return mayRepeat({
      call: wordOfCalls(counts),
      host: this.#hostOf(task),
      person: this.#answers().get(task)?.mayRepeat,
    });
  }

  /** Whether a task under this change may run more than once, beyond what the user's `own` settings allow. */
  repeats(change: Change, byOwn = true): boolean {
    return change.kind === 'policy' && repeatingSettings(change.set, byOwn ? this.own : NOTHING_SET).length > 0;
  }

  /** The question that has to be answered before a change can be tried on tasks of this name. */
  question(change: Change, counts: RepeatCounts): string | undefined {
    if (!this.repeats(change) || this.ofTask(counts).may !== undefined) return undefined;
    return repeatQuestion(counts.task);
  }

  /** Whether somebody said no to what this change would do. */
  forbids(change: Change, counts: RepeatCounts): boolean {
    return this.repeats(change) && this.ofTask(counts).may === false;
  }

  #hostOf(task: string): boolean | undefined {
    const said = this.#idempotent;
    if (said === undefined || typeof said === 'boolean') return said;
    return Object.hasOwn(said, task) ? said[task] : undefined;
  }
}

/** Enough calls that may be repeated for a trial among them, or what most of them said. */
function wordOfCalls({ managed, repeatable, unrepeatable }: RepeatCounts): boolean | undefined {
  if (repeatable >= ENOUGH_CALLS || (repeatable > 0 && repeatable * 2 >= managed)) return true;
  return unrepeatable > 0 && unrepeatable * 2 >= managed ? false : undefined;
}

/** As many as must read their policy before a changed one is tried. */
const ENOUGH_CALLS = 20;

/** The one question about a task, with the ways to answer it. */
export function repeatQuestion(task: string): string {
  const name = JSON.stringify(task);
  return `may ${name} run twice for one task? Answer with \`rsi repeatable ${shellName(task)}\`, loop.allowRepeat(${name}, { by, reason }), or idempotent: true where it runs`;
}

function shellName(task: string): string {
  return /^[\w.:/-]+$/.test(task) ? task : JSON.stringify(task);
}
