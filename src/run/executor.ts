import { classifyFailure, type ErrorRule } from '../classify/classify-error.js';
import type { Clock } from '../contract/clock.js';
import type { JsonObject } from '../contract/json.js';
import { DEFAULT_POLICY } from '../contract/policy.js';
import type { Policy } from '../contract/settings.js';
import type { Random } from '../lib/random.js';
import { Brake, type BrakeOptions } from './brake.js';
import type { EnclosingTask } from './capture.js';
import type { Classify } from './failure.js';
import { FirstChoices } from './first-choices.js';
import { FixesByPolicy, type FixInPolicy } from './fixes-in-policy.js';
import { HostFunctions } from './host-functions.js';
import { HostSignals } from './host-signals.js';
import { LimitsByPolicy } from './limits.js';
import { ModelStates } from './model-state.js';
import type { OpenTask } from './open-task.js';
import type { RunOptions, Work } from './options.js';
import type { RunParts } from './parts.js';
import { Pauses } from './pauses.js';
import { describeThrown, type Report } from './problem.js';
import { restoreRunState, saveRunState } from './run-state.js';
import { TaskRun } from './task-run.js';

export interface ExecutorOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly report: Report;
  /** User-defined rules for classifying errors. */
  readonly rules?: readonly ErrorRule[] | undefined;
  /** Returns whether the loop may try something on its own. Default: never. */
  readonly mayTry?: () => boolean;
  /** Kinds of failed answers that this host accepts. Default: none. */
  readonly acceptedAnswers?: readonly string[] | undefined;
  /** The host's own settings, without any fix. Default: all defaults. */
  readonly ownPolicy?: Policy;
  /** Returns the fixes in a policy, in the order in which they apply. Default: none. */
  readonly fixesIn?: (policy: Policy) => readonly FixInPolicy[];
  /** Returns the longest wait that a prevented failure of a task is worth, in milliseconds. Default 20 seconds. */
  readonly priceOf?: (task: string) => number;
  /** Turns off a fix in this process whose waits cost too much. Default: no fix is turned off. */
  readonly onTrip?: BrakeOptions['onTrip'];
  /** Called regularly while tasks wait because of fixes. */
  readonly whileWaiting?: BrakeOptions['whileWaiting'];
}

/** Default price of a prevented failure, in milliseconds of waiting. */
export const DEFAULT_PRICE_MS = 20_000;
const nothing = () => {};

/** Runs tasks under the policy they started with, and tracks the health of the models they call. */
export class Executor {
  readonly #parts: RunParts;

  constructor(options: ExecutorOptions) {
    const { clock, random, report, rules = [], acceptedAnswers = [], mayTry = () => false } = options;
    const { onTrip = nothing, whileWaiting = nothing } = options;
    const isOwnRule = new Set(rules.map(({ id }) => id));
    const classify: Classify = (error) => {
      const found = classifyFailure(error, { rules });
      return found.category === 'cancelled' && !isOwnRule.has(found.rule) ? { ...found, isAbort: true } : found;
    };
    const host = new HostFunctions(clock, report);
    const signals = new HostSignals();
    const models = new ModelStates(clock);
    const choices = new FirstChoices(random, mayTry);
    this.#parts = {
      clock,
      random,
      report,
      classify,
      host,
      signals,
      models,
      limits: new LimitsByPolicy(),
      pauses: new Pauses(clock),
      fixes: new FixesByPolicy(guarded(options.fixesIn, report)),
      brake: new Brake({ clock, onTrip, whileWaiting }),
      ownPolicy: options.ownPolicy ?? DEFAULT_POLICY,
      priceOf: options.priceOf ?? (() => DEFAULT_PRICE_MS),
      choices,
      acceptedAnswers,
    };
  }

  /** Prepares the run of a task that has begun. `around`: the task that it runs in. */
  taskRun<Value>(
    name: string,
    started: OpenTask,
    work: Work<Value>,
    options: RunOptions<Value>,
    around?: EnclosingTask,
  ): TaskRun<Value> {
    return new TaskRun(this.#parts, { name, started, work, options }, around);
  }

  /**
   * Looks up the settings of all waiting tasks again. Tasks that wait because of a fix that was taken back go on
   * immediately.
   */
  recheck(): void {
    const { models, pauses } = this.#parts;
    for (const { state } of models.entries()) state.limiter.recheck();
    pauses.recheck();
  }

  /** Returns what this process learned about models and tasks, as JSON for the next process. */
  saveState(): JsonObject {
    return saveRunState(this.#parts.models, this.#parts.clock);
  }

  /** Restores the state that `saveState` returned in another process. Never throws: unreadable parts are reported. */
  restoreState(state: unknown): void {
    restoreRunState(state, this.#parts.models, this.#parts.clock, this.#parts.report);
  }
}

/** Returns a look-up that reports an error and returns no fixes: the task of a host goes on without them. */
function guarded(fixesIn: ExecutorOptions['fixesIn'], report: Report): (policy: Policy) => readonly FixInPolicy[] {
  return (policy) => {
    try {
      return fixesIn?.(policy) ?? [];
    } catch (error) {
      report({ where: 'run', message: `the fixes of a task cannot be read: ${describeThrown(error)}` });
      return [];
    }
  };
}
