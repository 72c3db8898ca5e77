import type { Clock } from '../contract/clock.js';
import { handleRejection, isThenable } from '../lib/promises.js';
import { describeThrown, showValue } from '../lib/text.js';
import type { Report } from './problem.js';

/** Expected return value of a host function, and its fallback. */
export interface HostAnswer<Answer> {
  /** Returns the answer, or `undefined` if the value is not a valid one. */
  readonly read: (value: unknown) => Answer | undefined;
  /** Expected value, for the report. */
  readonly expected: string;
  /** Used when the function throws, rejects, takes too long or returns an invalid value. */
  readonly fallback: Answer;
}

/** Longest wait for a promise that a check returned, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * Calls the functions that a host passes to `run`: `accept`, `isEmpty`, `measure`, `onEnd`. The task keeps its own
 * value even if they fail. Each failure is reported.
 */
export class HostFunctions {
  readonly #clock: Clock;
  readonly #report: Report;

  constructor(clock: Clock, report: Report) {
    this.#clock = clock;
    this.#report = report;
  }

  /** Returns the function's answer, as a promise only if the function returned one. */
  ask<Answer>(where: string, call: () => unknown, answer: HostAnswer<Answer>): Answer | Promise<Answer> {
    try {
      const value = call();
      return isThenable(value) ? this.#wait(where, value, answer) : this.#read(where, value, answer);
    } catch (error) {
      this.#report({ where, message: `threw ${describeThrown(error)}` });
      return answer.fallback;
    }
  }

  /** Calls a function and ignores its result. */
  notify(where: string, call: () => unknown): void {
    const failed = (error: unknown) => this.#report({ where, message: `threw ${describeThrown(error)}` });
    try {
      handleRejection(call(), failed);
    } catch (error) {
      failed(error);
    }
  }

  #wait<Answer>(where: string, pending: PromiseLike<unknown>, answer: HostAnswer<Answer>): Promise<Answer> {
    return new Promise((resolve) => {
      const settle = (value: Answer) => {
        cancel();
        resolve(value);
      };
      const cancel = this.#clock.after(PATIENCE_MS, () => {
        this.#report({ where, message: `gave no answer within ${PATIENCE_MS / 1000} s: it is ignored` });
        resolve(answer.fallback);
      });
      pending.then(
        (value) => settle(this.#read(where, value, answer)),
        (error: unknown) => {
          this.#report({ where, message: `rejected with ${describeThrown(error)}` });
          settle(answer.fallback);
        },
      );
    });
  }

  #read<Answer>(where: string, value: unknown, { read, expected, fallback }: HostAnswer<Answer>): Answer {
    const answer = read(value);
    if (answer !== undefined) return answer;
    this.#report({ where, message: `returned ${showValue(value)}: return ${expected}` });
    return fallback;
  }
}
