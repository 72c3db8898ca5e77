import type { Trial } from '../contract/trial.js';
import { type Conclusion, isNewShare } from './conclusion.js';

/** Conclusion about the phase that a trial is in: the first one, unless that only changes the share of the fix. */
export class Ruling {
  #now: Conclusion | undefined;

  constructor(now?: Conclusion) {
    this.#now = now;
  }

  get now(): Conclusion | undefined {
    return this.#now;
  }

  /** Whether units that follow cannot change the conclusion. */
  get isFinal(): boolean {
    return this.#now !== undefined && !isNewShare(this.#now);
  }

  /** Concludes, unless something was concluded before. A mere change of share gives way to a verdict or an alarm. */
  conclude(conclusion: Conclusion, { phase }: Trial): void {
    const isAlarm = conclusion.kind === 'alarm';
    const overrides = !this.isFinal && (isAlarm || (phase === 'running' && !isNewShare(conclusion)));
    if (this.#now === undefined || overrides) this.#now = conclusion;
  }

  /** Forgets the conclusion, because the trial goes on. */
  lift(): void {
    this.#now = undefined;
  }

  /** Forgets a change of share that was made. */
  liftShare(): void {
    if (!this.isFinal) this.lift();
  }
}
