import type { Clock } from '../contract/clock.js';
import type { LoopEvent } from '../contract/loop-event.js';
import type { Outcome } from '../contract/outcome.js';
import { settingLimitsOf } from '../contract/policy.js';
import type { SettingLimits } from '../contract/settings.js';
import type { Store } from '../contract/store.js';
import { MemoryStore } from '../defaults/memory-store.js';
import { type AutoApproval, readAutoApproval } from '../fix/auto-approval.js';
import { HostCatalog } from '../fix/host-catalog.js';
import { type RulePaths, readRulePaths } from '../fix/rule-paths.js';
import { Emitter } from '../lib/emitter.js';
import { GuardedClock } from '../lib/guarded-clock.js';
import { guardedRandom } from '../lib/guarded-random.js';
import { idMaker } from '../lib/ids.js';
import type { Random } from '../lib/random.js';
import { RepeatRules, type RepeatRulesOptions } from '../lib/repeat.js';
import { SystemClock } from '../lib/system-clock.js';
import { messageOf } from '../lib/text.js';
import { warnOnce } from '../lib/warn-once.js';
import { Observer } from '../observe/observer.js';
import { type Capture, createCapture } from '../run/capture.js';
import { PolicyTable } from '../run/policy-table.js';
import type { Report } from '../run/problem.js';
import { TextTable } from '../run/text-table.js';
import { checkOptions } from './check-options.js';
import { openFolder } from './open-folder.js';
import type { RSILoopOptions } from './options.js';
import { SessionsBegun } from './sessions-begun.js';

/** Components that stay the same for the lifetime of a loop. They do not depend on the content of the store. */
export interface FixedComponents {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly events: Emitter<LoopEvent>;
  /** Reports errors that the loop recovered from. */
  readonly report: Report;
  readonly newId: (atMs: number) => string;
  readonly capture: Capture;
  readonly observer: Observer;
  readonly policies: PolicyTable;
  /** Named texts of the host. */
  readonly texts: TextTable;
  readonly sessions: SessionsBegun;
  /** Called with each outcome that is recorded here, by functions that take the loop. They do not throw. */
  readonly listeners: Set<(outcome: Outcome) => void>;
  /** Decides whether a task may run again after a failure. */
  readonly repeats: RepeatRules;
  readonly settingLimits: SettingLimits;
  readonly catalog: HostCatalog;
  /** Versions of skills that this process can offer to its tasks. Open skill folders add theirs. */
  readonly skills: Set<string>;
  readonly autoFix: boolean;
  readonly autoApprove?: AutoApproval;
  readonly expireAfterMs: number;
  /** Workspace file for each kind of rule. */
  readonly rulePaths: RulePaths;
  /** Probability of a false confirmation allowed per pattern. */
  readonly alpha: number;
  /** Maximum time for one answer of the model, in milliseconds. */
  readonly modelTimeoutMs: number;
}

/**
 * Creates the fixed components after checking all options.
 * @throws LoopError `invalid-policy` for unknown or invalid settings or bounds, `invalid-input` for alpha.
 */
export function createFixedComponents(
  options: RSILoopOptions,
  onOutcome: (outcome: Outcome) => void,
  repeatAnswers: RepeatRulesOptions['answers'],
): FixedComponents {
  checkOptions(options);
  const events = new Emitter<LoopEvent>((kind, error) => {
    // A failing `problem` handler would fail for this report too.
    if (kind !== 'problem') report({ where: 'on', message: `a handler of ${kind} failed: ${messageOf(error)}` });
  }, warnOnce());
  const report: Report = (problem) => events.emit({ kind: 'problem', ...problem });
  const reportHost = (message: string) => report({ where: 'host', message });
  const clock = options.clock === undefined ? new SystemClock() : new GuardedClock(options.clock, reportHost);
  const random = options.random === undefined ? Math.random : guardedRandom(options.random, reportHost);
  const store = openStore(options.store, clock, random);
  const newId = idMaker(store.journal.writer);
  const settingLimits = settingLimitsOf(options.bounds, options.ownSettings);
  const texts = new TextTable(options.prompts);
  const policies = new PolicyTable({ report, settingLimits, ...defined({ settings: options.policy }) });
  return {
    clock,
    random,
    store,
    events,
    report,
    newId,
    capture: createCapture(),
    observer: new Observer({
      clock,
      newId,
      emit: onOutcome,
      report,
      ...defined({ source: options.source, deployment: options.deployment, rules: options.rules }),
    }),
    policies,
    texts,
    sessions: new SessionsBegun(() => !texts.isEmpty),
    listeners: new Set(),
    repeats: new RepeatRules({ idempotent: options.idempotent, own: policies.own, answers: repeatAnswers }),
    settingLimits,
    catalog: new HostCatalog(),
    skills: new Set(),
    autoFix: options.autoFix ?? true,
    ...defined({ autoApprove: readAutoApproval(options.autoApprove) }),
    expireAfterMs: options.expireAfterMs ?? 30 * 24 * 3_600_000,
    rulePaths: readRulePaths(options.ruleFiles),
    alpha: options.alpha ?? 0.05,
    modelTimeoutMs: options.modelTimeoutMs ?? 30_000,
  };
}

function openStore(store: RSILoopOptions['store'], clock: Clock, random: Random): Store {
  if (typeof store === 'string') return openFolder(store, clock, random);
  return store ?? new MemoryStore({ clock });
}

/** Removes undefined fields, so that a component's own defaults apply. */
export function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  // Only undefined values were removed, which is what the type says.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
