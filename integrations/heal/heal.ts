import { type CallSpan, startCall } from 'rsi-loop';
import { type HealOptions, type HealSettings, readHealOptions } from './heal-options.js';
import { Healer, type Healing } from './healer.js';
import { isPlainPromise, watchResult } from './watch-result.js';

/** Function of any kind: its own parameters and result are kept. */
type AnyFunction = (...args: never[]) => unknown;

/** Function with its healing. */
export type Healed<Fn extends AnyFunction> = Fn & {
  /** Captured failures and repairs of this function. */
  readonly healing: Healing;
};

/**
 * Returns the function with the same parameters, result and properties. Each call is a task of the loop. A failure is
 * captured, a transient one may be repeated, and with `patch` a model is asked for a change that a person decides on. The
 * caller always gets the error that the function threw first, as the same object and without a delay by repairs.
 * @throws LoopError `invalid-input` for an option out of range.
 */
export function heal<Fn extends AnyFunction>(fn: Fn, options: HealOptions): Healed<Fn> {
  const settings = readHealOptions(fn, options);
  const healer = new Healer(fn, settings);
  const healed = new Proxy(fn, {
    apply: (_, self: unknown, args: unknown[]) => new HealedCall(settings, healer, self, args).run(),
    get: (target, key, receiver) => (key === 'healing' ? healer.healing : Reflect.get(target, key, receiver)),
  });
  return healed as Healed<Fn>; // the `get` above adds `healing`
}

/** One call of a healed function. Nothing in here throws but the function itself. */
class HealedCall {
  readonly #settings: HealSettings;
  readonly #healer: Healer;
  readonly #self: unknown;
  readonly #args: readonly unknown[];
  #span: CallSpan | undefined;
  #isEnded = false;

  constructor(settings: HealSettings, healer: Healer, self: unknown, args: readonly unknown[]) {
    this.#settings = settings;
    this.#healer = healer;
    this.#self = self;
    this.#args = args;
  }

  run(): unknown {
    this.#healer.sample(this.#args);
    this.#span = quietly(() => startCall(this.#settings.loop, { task: this.#settings.task }));
    let result: unknown;
    try {
      result = this.#span ? this.#span.run(() => this.#call()) : this.#call();
    } catch (error) {
      this.#failed(error);
      throw error;
    }
    if (isPlainPromise(result)) return this.#attempts(result);
    return this.#watched(result);
  }

  #call(): unknown {
    return Reflect.apply(this.#healer.current, this.#self, this.#args);
  }

  /** Lets the loop run the attempts. The first one is in progress already. */
  async #attempts(first: Promise<unknown>): Promise<unknown> {
    const { loop, task, repeatable } = this.#settings;
    const thrown: { readonly error: unknown }[] = [];
    const keep = (error: unknown) => {
      if (thrown.length === 0) thrown.push({ error });
      throw error;
    };
    const watched = first.catch(keep);
    let isAsked = false;
    let isRefused = false;
    const work = ({ attempt }: { readonly attempt: number }) => {
      isAsked = true;
      return attempt === 1 ? watched : new Promise((resolve) => resolve(this.#call())).catch(keep);
    };
    const allowed = repeatable === undefined ? {} : { idempotent: repeatable };
    const id = this.#span && { id: this.#span.id };
    const ended = quietly(() => loop.run(task, work, { ...id, ...allowed, isEmpty: () => false })) ?? watched;
    const value = await ended.catch((error: unknown) => {
      isRefused = !isAsked;
      // The loop refused the task, for example by its breaker, while the first attempt was in progress.
      if (isRefused) return watched.catch((own: unknown) => this.#rethrow(own));
      return this.#rethrow(thrown[0] ? thrown[0].error : error);
    });
    if (!isRefused) this.#span = undefined; // the loop recorded it
    return this.#watched(value);
  }

  #rethrow(error: unknown): never {
    this.#span = undefined;
    this.#failed(error);
    throw error;
  }

  #watched(result: unknown): unknown {
    const succeeded = () => this.#succeeded();
    const failed = (error: unknown) => this.#failed(error);
    const watched = quietly(() => ({ result: watchResult(result, { succeeded, failed }) }));
    return watched ? watched.result : result;
  }

  #succeeded(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    quietly(() => this.#span?.end({ success: true }));
  }

  #failed(error: unknown): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    quietly(() => this.#span?.end({ success: false, error: error ?? String(error) }));
    quietly(() => this.#healer.failed(error, this.#args));
  }
}

/** Returns the result of work that must not disturb a call; undefined if it fails. */
function quietly<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
