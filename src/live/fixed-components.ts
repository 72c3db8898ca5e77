import type { FailedAnswer } from '../classify/failed-answers.js';
import type { ChangeKind } from '../contract/change-kind.js';
import type { Clock } from '../contract/clock.js';
import type { Fix } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { LoopEvent } from '../contract/loop-event.js';
import type { Outcome } from '../contract/outcome.js';
import { settingLimitsOf } from '../contract/policy.js';
import type { SettingLimits } from '../contract/settings.js';
import type { Store } from '../contract/store.js';
import type { Workspace } from '../contract/workspace.js';
import { MemoryStore } from '../defaults/memory-store.js';
import { type AutoApproval, readAutoApproval } from '../fix/auto-approval.js';
import { HostCatalog } from '../fix/host-catalog.js';
import { type RulePaths, readRulePaths } from '../fix/rule-paths.js';
import { ClockWatch } from '../lib/clock-watch.js';
import { Emitter } from '../lib/emitter.js';
import { GuardedClock } from '../lib/guarded-clock.js';
import { guardedRandom } from '../lib/guarded-random.js';
import { idMaker } from '../lib/ids.js';
import type { Random } from '../lib/random.js';
import { SystemClock } from '../lib/system-clock.js';
import { messageOf } from '../lib/text.js';
import { warnOnce } from '../lib/warn-once.js';
import { type Capture, createCapture } from '../run/capture.js';
import { PolicyTable } from '../run/policy-table.js';
import type { Report } from '../run/problem.js';
import { checkOptions } from './check-options.js';
import { openFolder } from './open-folder.js';
import type { RSILoopOptions } from './options.js';
import { priceBy } from './price.js';
import { smallestGainOf } from './smallest-gain.js';
import type { TaskTexts } from './task-texts.js';

/** Components that stay the same for the lifetime of a loop. They do not depend on the content of the store. */
export interface FixedComponents {
  readonly clock: Clock;
  readonly clockWatch: ClockWatch;
  readonly random: Random;
  readonly store: Store;
  readonly events: Emitter<LoopEvent>;
  /** Reports errors that the loop recovered from. */
  readonly report: Report;
  readonly newId: (atMs: number) => string;
  readonly capture: Capture;
  readonly policies: PolicyTable;
  /** Place for the named texts of the host. */
  readonly prompts: { texts?: TaskTexts };
  /** Files of the host that confirmed changes are written into. */
  readonly workspace?: Workspace;
  /** Called with each outcome that is recorded here, by functions that take the loop. They do not throw. */
  readonly listeners: Set<(outcome: Outcome) => void>;
  /** Records calls that failed and may be repeated. Called when the loop is closed. */
  readonly unended: Set<() => void>;
  readonly settingLimits: SettingLimits;
  readonly catalog: HostCatalog;
  /** Kinds of change that companions of this process added, by name. */
  readonly companionKinds: Map<string, ChangeKind>;
  /** Kinds of failed answers that this host accepts. */
  readonly acceptedAnswers: readonly FailedAnswer[];
  readonly autoFix: boolean;
  readonly autoApprove?: AutoApproval;
  readonly expireAfterMs: number;
  /** Workspace file for each kind of rule. */
  readonly rulePaths: RulePaths;
  /** Probability of a false confirmation allowed per pattern. */
  readonly alpha: number;
  /** Smallest gain that the host wants of a fix; undefined for the default. */
  readonly smallestGain: (fix: Fix) => number | undefined;
  /** Returns the longest wait that a prevented failure of a task is worth, in milliseconds. */
  readonly priceOf: (task: string) => number;
  /** Fixes that are off in this process although the ledger has them, each with the reason. */
  readonly braked: Map<FixId, string>;
  /** Maximum time for one answer of the model, in milliseconds. */
  readonly modelTimeoutMs: number;
}

/**
 * Creates the fixed components after checking all options.
 * @throws LoopError `invalid-policy` for unknown or invalid settings or bounds, `invalid-input` for alpha.
 */
export function createFixedComponents(options: RSILoopOptions): FixedComponents {
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
  const policies = new PolicyTable({ report, settingLimits, ...defined({ settings: options.policy }) });
  return {
    clock,
    clockWatch: new ClockWatch(clock),
    random,
    store,
    events,
    report,
    newId,
    capture: createCapture(),
    policies,
    prompts: {},
    ...defined({ workspace: options.workspace }),
    listeners: new Set(),
    unended: new Set(),
    settingLimits,
    catalog: new HostCatalog(),
    companionKinds: new Map(),
    acceptedAnswers: options.acceptedAnswers ?? [],
    autoFix: options.autoFix ?? true,
    ...defined({ autoApprove: readAutoApproval(options.autoApprove) }),
    expireAfterMs: options.expireAfterMs ?? 30 * 24 * 3_600_000,
    rulePaths: readRulePaths(options.ruleFiles),
    alpha: options.alpha ?? 0.05,
    smallestGain: smallestGainOf(options.smallestGain, reportHost),
    priceOf: priceBy(options.priceMs),
    braked: new Map(),
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
