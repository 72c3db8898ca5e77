import { describeFacts } from '../classify/describe-error.js';
import { readFacts } from '../classify/facts.js';
import type { Clock } from '../contract/clock.js';
import type { Deployment } from '../contract/deployment.js';
import { LoopError } from '../contract/errors.js';
import type { Outcome } from '../contract/outcome.js';
import { idMaker } from '../lib/ids.js';
import type { Random } from '../lib/random.js';
import { sampled } from '../lib/sampled.js';
import { SystemClock } from '../lib/system-clock.js';
import { TenfoldReports } from '../lib/tenfold-reports.js';
import { showValue } from '../lib/text.js';
import { INTERNALS } from '../live/internals.js';
import type { CallParts } from '../live/start-call.js';
import type { DescribedError, Namer } from '../observe/namer.js';
import { OutcomeObserver } from '../observe/outcome-observer.js';
import { redact } from '../observe/redact.js';
import { sanitizeError } from '../observe/sanitize-error.js';
import { createCapture } from '../run/capture.js';
import type { Destination } from './destination.js';
import { Sender } from './sender.js';
import { serverDestination } from './server-destination.js';

/** Options of `Recorder`. */
export interface RecorderOptions {
  /** Address of the server, with the prefix of its routes if it has one, e.g. `http://127.0.0.1:7747`. */
  readonly url?: string | URL;
  /** Receiver instead of a server, e.g. `redisDestination()` of `rsi-loop/sources/redis`. Give `url` or this. */
  readonly to?: Destination;
  /** Token of the server. */
  readonly token?: string;
  /** Source of outcomes that do not state one. Default `generic`. */
  readonly source?: string;
  /** Service, version, region and host of this process, which its outcomes carry. Default: none. */
  readonly deployment?: Deployment;
  /**
   * Share of successes that are sent, 0.001 to 1. Each one counts for those left out. Failures are always sent.
   * Default 1.
   */
  readonly sample?: number;
  /** Time in which outcomes are gathered for one request. Default 1,000 ms. */
  readonly flushMs?: number;
  /** Maximum number of waiting outcomes; further ones are dropped and counted. Default 10,000. */
  readonly maxQueued?: number;
  /** Called for failed attempts, drops and unreadable fields: the 1st, 10th, 100th ... time each. Default: a warning on the console. */
  readonly onProblem?: (message: string) => void;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
  /** Random numbers of 0 or more, below 1. Default `Math.random`. */
  readonly random?: Random;
}

/**
 * Records outcomes and sends them to a running `rsi serve`, or to a queue that a loop reads. The loop classifies them.
 * For browsers, hooks and programs without a loop of their own. Recording never throws and never waits. Texts are
 * redacted before they are queued.
 */
export class Recorder {
  /** Records outcomes, as `loop.observer` does. */
  readonly observer: OutcomeObserver;
  /** @internal For `startCall`. Defined in the constructor, so that bundlers can remove the class. */
  declare readonly [INTERNALS]: CallParts;
  readonly #sender: Sender;
  readonly #unended = new Set<() => void>();

  /** @throws LoopError `invalid-input` for an invalid address, token, time or number. */
  constructor(options: RecorderOptions) {
    const { clock = new SystemClock(), random = Math.random, source, deployment } = options;
    const share = numberFrom(0.001, 'sample', options.sample ?? 1, 1);
    const onProblem = options.onProblem ?? warn;
    const reports = new TenfoldReports((message) => {
      try {
        onProblem(redact(message));
      } catch {
        // A failing handler must not disturb the host.
      }
    });
    const report = (message: string) => reports.report(message);
    const to = destinationOf(options, clock);
    this.#sender = new Sender({
      to,
      clock,
      random,
      flushMs: numberFrom(0, 'flushMs', options.flushMs ?? 1_000),
      maxQueued: numberFrom(1, 'maxQueued', options.maxQueued ?? 10_000),
      report: (message) => report(`${to.name}: ${message}`),
    });
    const newId = idMaker(randomName());
    const take = (outcome: Outcome) => {
      const kept = sampled(outcome, share, random);
      if (kept !== undefined) this.#sender.add(kept);
    };
    this.observer = new OutcomeObserver(
      { clock, newId, into: { take }, deployment, source, report: (problem) => report(problem.message) },
      new ErrorDescriber(),
    );
    const unended = this.#unended;
    const parts: CallParts = { capture: createCapture(), clock, newId, unended, observer: this.observer };
    Object.defineProperty(this, INTERNALS, { value: parts });
  }

  /** Number of outcomes that wait for the server. */
  get waiting(): number {
    return this.#sender.waiting;
  }

  /** Number of outcomes that were dropped: too many waited, or the server refused them. */
  get dropped(): number {
    return this.#sender.dropped;
  }

  /** Sends what waits now. Resolves with the number of outcomes that still wait because the attempt failed. */
  async flush(): Promise<number> {
    await this.#sender.send();
    return this.waiting;
  }

  /** Sends what waits in one last attempt. Outcomes that still wait, and later ones, are dropped and counted. */
  close(): Promise<void> {
    for (const end of this.#unended) end();
    return this.#sender.close();
  }
}

/** Redacts errors and leaves classes and fingerprints to the server: its tables are several times as large as this. */
class ErrorDescriber implements Namer {
  readonly describe = (text: string) => this.name(text).error;

  name(input: unknown): DescribedError {
    return { error: sanitizeError(describeFacts(readFacts(input))), issues: [], isHint: false };
  }

  complete(): void {}
}

function destinationOf({ url, to, token, fetch = globalThis.fetch }: RecorderOptions, clock: Clock): Destination {
  if ((url === undefined) === (to === undefined)) {
    throw new LoopError('invalid-input', 'the recorder needs one receiver: give url or to, not both');
  }
  return to ?? serverDestination({ url: observeUrl(url), token: readToken(token), fetch, clock });
}

function observeUrl(input: unknown): string {
  const text = input instanceof URL ? input.href : input;
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new LoopError(
      'invalid-input',
      'url of the recorder is not an address: give one that begins with http or https',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new LoopError('invalid-input', 'url of the recorder holds a user or password: give a token instead');
  }
  url.pathname = `${url.pathname}/observe`.replaceAll(/\/{2,}/g, '/');
  return url.href;
}

function readToken(token: unknown): string | undefined {
  // Anything else would end the header early, and every request with it.
  if (token === undefined || (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token))) return token;
  throw new LoopError('invalid-input', 'token of the recorder cannot be sent: give visible ASCII characters');
}

function numberFrom(least: number, name: string, value: unknown, most = Number.MAX_VALUE): number {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  const range = most === Number.MAX_VALUE ? `from ${least}` : `from ${least} to ${most}`;
  throw new LoopError('invalid-input', `${name} of the recorder is ${showValue(value)}: give a number ${range}`);
}

function randomName(): string {
  return Array.from(globalThis.crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join('');
}

function warn(message: string): void {
  globalThis.console?.warn(`rsi-loop: ${message}`);
}
