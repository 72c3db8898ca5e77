import type { ErrorRule } from '../classify/classify-error.js';
import { ErrorNamer } from './error-namer.js';
import { type ObserverOptions as Options, OutcomeObserver } from './outcome-observer.js';

export interface ObserverOptions extends Options {
  /** User-defined rules for classifying errors. */
  readonly rules?: readonly ErrorRule[];
  /** Whether people write the errors, so that the learned words of programs do not classify them. Default false. */
  readonly isSaid?: boolean;
}

/** Records how tasks ended, and classifies their failures. */
export class Observer extends OutcomeObserver {
  constructor(options: ObserverOptions) {
    super(options, new ErrorNamer(options.rules, { isSaid: options.isSaid }));
  }
}
