import { type Attempt, type CallSpan, type Clock, classifyError, type OutcomeFields } from 'rsi-loop';

/** Retries that SDKs make by default. */
const USUAL_RETRIES = 2;
/** Time beyond an SDK's own wait in which its next attempt begins, in milliseconds. */
const SLACK_MS = 2_000;
const LONGEST_WAIT_MS = 3_600_000;
/** Failed attempts that may wait at the same time. Beyond them, each is recorded immediately. */
const MOST_WAITING = 1_000;

/** Attempts of one call that failed before the current one. */
interface Earlier {
  readonly attempts: readonly Attempt[];
  readonly beganMs: number;
  readonly endedMs: number;
}

interface Waiting extends Earlier {
  readonly retries: number;
  readonly cancel: () => void;
  readonly end: () => void;
}

/**
 * Joins the attempts that an SDK makes for one call of its host: they become one outcome, that of the last attempt. A
 * failed attempt waits until the SDK repeats it. If it does not, the call is recorded as failed.
 */
export class Attempts<Key> {
  readonly #clock: Clock;
  /** Returns the SDK's longest wait after so many retries, in milliseconds. */
  readonly #waitMs: (retries: number) => number;
  readonly #waiting = new Map<Key, Waiting[]>();
  #waits = 0;
  #mostRetries = USUAL_RETRIES;

  constructor(clock: Clock, waitMs: (retries: number) => number) {
    this.#clock = clock;
    this.#waitMs = waitMs;
  }

  /**
   * Begins an attempt. The key is the same for all attempts of a call, and is not computed for a first one that succeeds;
   * `retries` is stated by some SDKs.
   */
  begin(keyOf: () => Key, retries?: number): OneAttempt {
    const earlier = retries === 0 || this.#waits === 0 ? undefined : this.#take(keyOf(), retries);
    const number = retries ?? earlier?.attempts.length ?? 0;
    this.#mostRetries = Math.max(this.#mostRetries, number);
    const beganMs = this.#clock.monotonic();
    const whole = (fields: OutcomeFields, endedMs: number) => {
      const failure = fields.success ? {} : { issue: fields.issues?.[0] ?? classifyError(fields.error).category };
      const delayMs = earlier === undefined ? 0 : beganMs - earlier.endedMs;
      const attempt = { delayMs, durationMs: endedMs - beganMs, success: fields.success, ...failure };
      const attempts = [...(earlier?.attempts ?? []), attempt];
      return {
        attempts,
        ended: earlier === undefined ? fields : { ...fields, attempts, durationMs: endedMs - earlier.beganMs },
      };
    };
    const end = (call: CallSpan, fields: OutcomeFields) => call.end(whole(fields, this.#clock.monotonic()).ended);
    return {
      end,
      failed: (call, fields) => {
        if (number >= this.#mostRetries || this.#waits >= MOST_WAITING) return end(call, fields);
        const key = keyOf();
        const endedMs = this.#clock.monotonic();
        const { attempts, ended } = whole(fields, endedMs);
        const { retryAfterMs = 0 } = classifyError(fields.error);
        const limitMs = Math.min(LONGEST_WAIT_MS, Math.max(this.#waitMs(number), retryAfterMs)) + SLACK_MS;
        const waiting: Waiting = {
          ...{ attempts, endedMs, retries: number, beganMs: earlier?.beganMs ?? beganMs },
          end: () => call.end(ended),
          cancel: call.endLater(ended, limitMs, () => this.#remove(key, waiting)),
        };
        this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), waiting]);
        this.#waits++;
      },
    };
  }

  /** Records the failed attempts of a call that has ended. */
  settle(key: Key): void {
    for (const waiting of this.#waiting.get(key) ?? []) {
      waiting.cancel();
      this.#remove(key, waiting);
      waiting.end();
    }
  }

  #take(key: Key, retries: number | undefined): Waiting | undefined {
    const waiting = this.#waiting.get(key)?.find((each) => retries === undefined || each.retries === retries - 1);
    if (waiting === undefined) return undefined;
    waiting.cancel();
    this.#remove(key, waiting);
    return waiting;
  }

  #remove(key: Key, waiting: Waiting): void {
    this.#waits--;
    const others = this.#waiting.get(key)?.filter((each) => each !== waiting) ?? [];
    if (others.length > 0) this.#waiting.set(key, others);
    else this.#waiting.delete(key);
  }
}

/** One attempt of an SDK at a call. */
export interface OneAttempt {
  /** Records how the call ended for its caller. */
  end(call: CallSpan, fields: OutcomeFields): void;
  /** Takes a failure that the SDK may repeat. */
  failed(call: CallSpan, fields: OutcomeFields): void;
}

/** End of a request that no SDK repeats, or none that says so. */
export const SINGLE: OneAttempt = {
  end: (call, fields) => call.end(fields),
  failed: (call, fields) => call.end(fields),
};

/** Attempts of the SDKs of OpenAI and Anthropic, which state the number of the retry in a header. */
export class SdkAttempts extends Attempts<string> {
  constructor(clock: Clock) {
    super(clock, (retries) => Math.min(8_000, 500 * 2 ** retries));
  }

  /** Begins the attempt that a request makes. A retry sends the same body to the same address. */
  of(url: string, headers: unknown, body: unknown): OneAttempt {
    const stated = headers instanceof Headers ? headers.get('x-stainless-retry-count') : null;
    if (stated === null || typeof body !== 'string') return SINGLE;
    return this.begin(() => `${url}\n${body}`, Number(stated));
  }
}
