import { type Clock, LoopError, type Model, type ModelAnswer, type ModelRequest, SystemClock } from 'rsi-loop';
import type { ModelCall, ModelHealth } from 'rsi-loop/kit';
import { isWithin, showValue } from 'rsi-loop/kit';
import { PoolHost, type PoolHostStatus } from './pool-host.js';

/** Options of `ModelPool`. */
export interface ModelPoolOptions {
  /** Concurrent calls per host; the others wait in the pool. Default 8. */
  readonly perHost?: number;
  /** Calls that may wait. Default 1,000. */
  readonly maxWaiting?: number;
  /** Cooldown of a host after a failure; doubles with every failure in a row. Default 1,000 ms. */
  readonly coolDownMs?: number;
  /** Longest cooldown of a host. Default 60,000 ms. */
  readonly maxCoolDownMs?: number;
  /** Longest attempt on one host, so that a hanging host does not use up a call's time. Default: the model's own. */
  readonly hostTimeoutMs?: number;
  /** Default: the machine's time. */
  readonly clock?: Clock;
}

/** A call that waits for a host. */
interface Waiting {
  readonly tried: ReadonlySet<PoolHost>;
  readonly take: (host: PoolHost) => void;
  readonly fail: (error: LoopError) => void;
}

type Work<T> = (model: Model, call: ModelCall) => Promise<T>;

/**
 * Pool of equivalent hosts, used as one model. Sends a call to the host that is likely to answer first. If that host
 * fails, the call goes to another one; a host that is down or times out cools down for a while.
 */
export class ModelPool implements Model {
  readonly name: string;
  readonly #hosts: readonly PoolHost[];
  readonly #clock: Clock;
  readonly #maxWaiting: number;
  readonly #hostTimeoutMs: number | undefined;
  readonly #waiting: Waiting[] = [];
  #cancelLook: (() => void) | undefined;

  /** @throws LoopError `invalid-input` for an empty list of models, or invalid numbers. */
  constructor(models: readonly Model[], options: ModelPoolOptions = {}) {
    if (models.length === 0) throw new LoopError('invalid-input', 'a pool needs at least one model');
    const { perHost = 8, maxWaiting = 1_000, coolDownMs = 1_000, maxCoolDownMs = 60_000, hostTimeoutMs } = options;
    for (const [name, value] of Object.entries({ perHost, maxWaiting, coolDownMs, maxCoolDownMs })) {
      if (!isWithin(value, 1))
        throw new LoopError('invalid-input', `${name} of the pool is ${showValue(value)}: give at least 1`);
    }
    this.#clock = options.clock ?? new SystemClock();
    const hostOptions = { clock: this.#clock, perHost, coolDownMs, maxCoolDownMs };
    this.#hosts = models.map((model) => new PoolHost(model, hostOptions));
    this.#maxWaiting = maxWaiting;
    this.#hostTimeoutMs = hostTimeoutMs;
    this.name = `pool of ${models.map(({ name }) => name).join(', ')}`;
  }

  complete(request: ModelRequest, call: ModelCall = {}): Promise<ModelAnswer> {
    return this.#run(call, (model, each) => model.complete(request, each));
  }

  embed(texts: readonly string[], call: ModelCall = {}): Promise<readonly (readonly number[])[]> {
    return this.#run(call, (model, each) => model.embed(texts, each));
  }

  /** Reports the pool as healthy if at least one of its hosts is. */
  async health(call: Pick<ModelCall, 'signal' | 'timeoutMs'> = {}): Promise<ModelHealth> {
    const all = await Promise.all(this.#hosts.map(({ model }) => model.health(call)));
    const well = all.filter(({ ok }) => ok);
    const sum = (name: 'running' | 'waiting') => {
      const counts = well.flatMap((health) => health[name] ?? []);
      return counts.length === 0 ? {} : { [name]: counts.reduce((total, count) => total + count, 0) };
    };
    const problem = all.flatMap((health) => health.problem ?? []).join('; ');
    return {
      ok: well.length > 0,
      models: [...new Set(well.flatMap(({ models }) => models))],
      ...sum('running'),
      ...sum('waiting'),
      latencyMs: Math.max(...all.map(({ latencyMs }) => latencyMs)),
      ...(well.length === 0 && { problem }),
    };
  }

  /** Returns the status of each host. */
  status(): readonly PoolHostStatus[] {
    return this.#hosts.map(({ status }) => status);
  }

  async #run<T>(call: ModelCall, work: Work<T>): Promise<T> {
    call.signal?.throwIfAborted();
    const startedMs = this.#clock.monotonic();
    const tried = new Set<PoolHost>();
    const failures: LoopError[] = [];
    let hasBegun = false;
    const each = listening(call, () => {
      hasBegun = true;
    });
    for (;;) {
      const leftMs = this.#leftOf(call.timeoutMs, startedMs, failures);
      const host = await this.#place(tried, call.signal, leftMs);
      const result = await this.#try(host, work, { ...each, ...this.#timeLeft(leftMs) });
      if ('value' in result) return result.value;
      if (!LoopError.is(result.error)) throw result.error;
      tried.add(host);
      failures.push(result.error);
      // Text that was streamed cannot be withdrawn: a second answer would be appended to half of the first.
      const isFinal = hasBegun || tried.size === this.#hosts.length || !mayPass(failures);
      if (isFinal) throw failures.length === 1 ? result.error : this.#allFailed(failures);
    }
  }

  /** @throws LoopError `timed-out` if no time is left. */
  #leftOf(timeoutMs: number | undefined, startedMs: number, failures: readonly LoopError[]): number | undefined {
    if (timeoutMs === undefined) return undefined;
    const leftMs = timeoutMs - (this.#clock.monotonic() - startedMs);
    if (leftMs < 1) throw this.#late(timeoutMs, failures);
    return leftMs;
  }

  #timeLeft(leftMs: number | undefined): Pick<ModelCall, 'timeoutMs'> {
    const timeoutMs = Math.min(leftMs ?? Number.POSITIVE_INFINITY, this.#hostTimeoutMs ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(timeoutMs) ? { timeoutMs: Math.max(1, timeoutMs) } : {};
  }

  async #try<T>(host: PoolHost, work: Work<T>, call: ModelCall): Promise<{ value: T } | { error: unknown }> {
    const startedMs = this.#clock.monotonic();
    host.askDepth(() => this.#handOut());
    try {
      const value = await work(host.model, call);
      host.answered(this.#clock.monotonic() - startedMs);
      return { value };
    } catch (error) {
      const isOfHost = LoopError.is(error) && (error.code === 'model-down' || error.code === 'timed-out');
      if (isOfHost && !call.signal?.aborted) {
        host.failed(error.message);
        this.#giveUp();
      } else host.ended();
      return { error };
    } finally {
      this.#handOut();
    }
  }

  /**
   * Waits for a host with a free slot.
   * @throws LoopError `queue-full`, `timed-out`; the signal's reason.
   */
  #place(tried: ReadonlySet<PoolHost>, signal: AbortSignal | undefined, leftMs: number | undefined): Promise<PoolHost> {
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new LoopError('queue-full', `${this.#waiting.length} calls wait for a host of the ${this.name}: ask later`);
    }
    return new Promise((resolve, reject) => {
      const end = () => {
        signal?.removeEventListener('abort', drop);
        cancel?.();
      };
      const leave = (error: unknown) => {
        const index = this.#waiting.indexOf(waiting);
        if (index >= 0) this.#waiting.splice(index, 1);
        end();
        reject(error);
      };
      const drop = () => leave(signal?.reason);
      const cancel =
        leftMs === undefined ? undefined : this.#clock.after(leftMs, () => leave(this.#late(Math.round(leftMs), [])));
      signal?.addEventListener('abort', drop, { once: true });
      const waiting: Waiting = {
        tried,
        fail: leave,
        take: (host) => {
          end();
          host.begin();
          resolve(host);
        },
      };
      this.#waiting.push(waiting);
      this.#handOut();
    });
  }

  /** Assigns waiting calls to hosts with free slots, the oldest first. */
  #handOut(): void {
    for (let index = 0; index < this.#waiting.length; ) {
      const waiting = this.#waiting[index];
      const host = waiting && this.#hostFor(waiting.tried);
      if (!waiting || !host) {
        index++;
        // If no host can take this call, hosts may still be free for calls that have tried none.
        if (waiting && waiting.tried.size === 0) break;
        continue;
      }
      this.#waiting.splice(index, 1);
      waiting.take(host);
    }
    this.#lookAgain();
  }

  /** Returns the host for the next call; `undefined` if it is better to wait. */
  #hostFor(tried: ReadonlySet<PoolHost>): PoolHost | undefined {
    const untried = this.#hosts.filter((host) => !tried.has(host));
    if (untried.every((host) => host.isCooling)) {
      // No other host is left: the one that has cooled down longest may try, one call at a time.
      const rested = untried
        .filter(({ outstanding }) => outstanding === 0)
        .sort((a, b) => a.coolUntilMs - b.coolUntilMs)[0];
      rested?.wake();
      return rested;
    }
    const best = untried.filter(({ free }) => free > 0).sort((a, b) => a.cost - b.cost)[0];
    if (!best) return undefined;
    const faster = untried.filter((host) => host.speed > 0 && host.usualMs < best.usualMs);
    if (faster.length === 0) return best;
    // A slow host is free and the fast ones are busy: is it faster than waiting for the fast ones to finish the queue?
    const speed = faster.reduce((sum, host) => sum + host.speed, 0);
    const doneMs = this.#waiting.length / speed + Math.min(...faster.map(({ usualMs }) => usualMs));
    return doneMs * SLOW_PAYS < best.usualMs ? undefined : best;
  }

  /** Fails all waiting calls if every host is cooling down. */
  #giveUp(): void {
    if (!this.#hosts.every((host) => host.isCooling)) return;
    const problems = this.status().flatMap(({ problem }) => problem ?? []);
    const error = new LoopError('model-down', `no host of the pool answers: ${problems.join('; ')}`);
    for (const waiting of [...this.#waiting]) waiting.fail(error);
  }

  /** Calls may wait while hosts cool down: schedules a retry for the end of the first cooldown. */
  #lookAgain(): void {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    if (this.#waiting.length === 0) return;
    const resting = this.#hosts.filter((host) => host.isCooling).map(({ coolUntilMs }) => coolUntilMs);
    if (resting.length === 0) return;
    const delayMs = Math.max(1, Math.min(...resting) - this.#clock.monotonic());
    this.#cancelLook = this.#clock.after(delayMs, () => this.#handOut());
  }

  #late(timeoutMs: number | undefined, failures: readonly LoopError[]): LoopError {
    const before = failures.map(({ message }) => `; ${message}`).join('');
    return new LoopError('timed-out', `${this.name} gave no answer within ${timeoutMs} ms${before}`);
  }

  #allFailed(failures: readonly LoopError[]): LoopError {
    const [last] = failures.slice(-1);
    const code = last?.code ?? 'model-down';
    return new LoopError(
      code,
      `${failures.length} hosts failed: ${failures.map(({ message }) => message).join('; ')}`,
      {
        cause: last,
      },
    );
  }
}

/** Returns the call with `onPiece` called before each piece of streamed text. */
function listening({ signal, onText }: ModelCall, onPiece: () => void): ModelCall {
  const heard = (piece: string) => {
    onPiece();
    onText?.(piece);
  };
  return { ...(signal && { signal }), ...(onText && { onText: heard }) };
}

/**
 * Factor for more calls that arrive meanwhile: a slow host is used if it takes less than this many times the queue's
 * time.
 */
const SLOW_PAYS = 2;

/** Returns whether another host may answer. If two hosts reject a request or answer wrongly, a third one will, too. */
function mayPass(failures: readonly LoopError[]): boolean {
  const { code } = failures.at(-1) ?? {};
  if (code === 'model-down' || code === 'timed-out') return true;
  if (code !== 'model-refused' && code !== 'model-answer') return false;
  return failures.filter((failure) => failure.code === code).length < 2;
}
