import type { Clock } from '../contract/clock.js';
import type { Policy } from '../contract/settings.js';
import type { Random } from '../lib/random.js';
import type { Brake } from './brake.js';
import type { Classify } from './failure.js';
import type { FirstChoices } from './first-choices.js';
import type { FixesByPolicy } from './fixes-in-policy.js';
import type { HostFunctions } from './host-functions.js';
import type { HostSignals } from './host-signals.js';
import type { LimitsByPolicy } from './limits.js';
import type { ModelStates } from './model-state.js';
import type { Pauses } from './pauses.js';
import type { Report } from './problem.js';

/** Parts that all tasks of an executor share. */
export interface RunParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly classify: Classify;
  readonly report: Report;
  readonly host: HostFunctions;
  readonly signals: HostSignals;
  readonly models: ModelStates;
  readonly limits: LimitsByPolicy;
  readonly pauses: Pauses;
  readonly fixes: FixesByPolicy;
  readonly brake: Brake;
  /** The host's own settings, without any fix. */
  readonly ownPolicy: Policy;
  /** Returns the longest wait that a prevented failure of this task is worth, in milliseconds. */
  readonly priceOf: (task: string) => number;
  readonly choices: FirstChoices;
  /** Kinds of failed answers that this host accepts. */
  readonly acceptedAnswers: readonly string[];
}
