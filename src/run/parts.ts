import type { Clock } from '../contract/clock.js';
import type { Random } from '../lib/random.js';
import type { Classify } from './failure.js';
import type { HostFunctions } from './host-functions.js';
import type { LimitsByPolicy } from './limits.js';
import type { ModelStates } from './model-state.js';
import type { Report } from './problem.js';

/** Parts that all tasks of an executor share. */
export interface RunParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly classify: Classify;
  readonly report: Report;
  readonly host: HostFunctions;
  readonly models: ModelStates;
  readonly limits: LimitsByPolicy;
}
