import { LoopError } from 'rsi-loop';
import { type Amount, RESOURCE_NAMES } from './amount.js';
import type { Purse, Reservation } from './purse.js';
import type { SharedLimits } from './shared-limits.js';
import type { WorstCase } from './supervised.js';

/** Call whose amount is reserved. */
export interface ReservedCall {
  /** Runs the call. Calls that it makes are known as its parts, and do not wait for it. */
  run<Result>(work: () => Result): Result;
  settle(actual: Amount): Promise<void>;
}

interface MoneyParts {
  /** Name of the task: the kind of calls that state none. */
  readonly task: string;
  readonly purse: Purse;
  readonly shared: SharedLimits;
  readonly session: string | undefined;
  readonly signal: AbortSignal;
  /** Called when a call is refused. */
  readonly onRefused: (error: unknown) => void;
}

/** Call around the running code. */
interface CallContext {
  getStore(): object | undefined;
  run<Result>(call: object, work: () => Result): Result;
}

/** Storage of all runs. The platform never forgets a storage, so there is one, made for the first call of unknown size. */
let calls: CallContext | undefined;

/** Money of a run: reserves each call in its purse and in the limits that runs share. */
export class RunMoney {
  readonly #parts: MoneyParts;
  /** Last error of a limit that runs share. */
  #sharedRefusal: unknown;

  /** Wakes of the calls that wait. */
  readonly #wakes = new Set<() => void>();

  constructor(parts: MoneyParts) {
    this.#parts = parts;
    const wake = () => {
      for (const each of this.#wakes) each();
    };
    parts.signal.addEventListener('abort', wake, { once: true });
  }

  /** Reserves the worst case of a call. Waits while its size is unknown and other calls show it. */
  async reserve({ kind, ...worst }: WorstCase): Promise<ReservedCall> {
    const { task, purse, shared, signal } = this.#parts;
    const { resources } = shared;
    const around = calls?.getStore() ?? (resources.length > 0 ? shared : purse.root);
    const place = { kind: kind ?? task, group: around, limited: resources };
    for (let wait = purse.unmeasured(worst, place); wait && !signal.aborted; wait = purse.unmeasured(worst, place))
      await this.#untilStopped(wait);
    // Nothing is awaited between the last look and the reservation: calls that start together see each other.
    signal.throwIfAborted();
    const own = this.#reserve(() => purse.reserve(worst, place));
    const held = resources.length === 0 ? undefined : await this.#reserveShared(own, worst);
    return {
      run: (work) => (own.isEstimated ? inCall(work) : work()),
      settle: async (actual) => {
        const real = own.settle(actual);
        await held?.settle(real);
      },
    };
  }

  /** Returns whether a limit of this run, and not of a run around it, ended it. */
  isOutOfBudget(error: unknown): boolean {
    return this.#parts.purse.refused(error) || (isOverBudget(error) && error === this.#sharedRefusal);
  }

  /** Resolves with `wait`, or when the run is stopped. */
  #untilStopped(wait: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#wakes.delete(wake);
        resolve();
      };
      this.#wakes.add(wake);
      void wait.then(wake);
    });
  }

  #reserve<Reserved>(reserve: () => Reserved): Reserved {
    try {
      return reserve();
    } catch (error) {
      this.#parts.onRefused(error);
      throw error;
    }
  }

  async #reserveShared(own: Reservation, worst: Amount) {
    const { shared, session, onRefused } = this.#parts;
    try {
      const estimated = RESOURCE_NAMES.filter((each) => each !== 'calls' && worst[each] === undefined);
      return await shared.reserve(own.reserved, estimated, session);
    } catch (error) {
      own.cancel();
      this.#sharedRefusal = error;
      onRefused(error);
      throw error;
    }
  }
}

/** Returns whether this error says that a limit does not cover a call. */
export function isOverBudget(error: unknown): boolean {
  return LoopError.is(error) && error.code === 'budget-exceeded';
}

/** Runs work as one call. Without call contexts (browsers), its own calls wait as others do. */
function inCall<Result>(work: () => Result): Result {
  const hooks = globalThis.process?.getBuiltinModule?.('node:async_hooks');
  if (hooks) calls ??= new hooks.AsyncLocalStorage<object>();
  return calls ? calls.run({}, work) : work();
}
