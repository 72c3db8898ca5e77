import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Clock } from 'rsi-loop';
import { withoutUnseen } from '../../http/unseen.js';

/** JSON of a view, ready to send. */
export interface ViewBody {
  readonly json: Buffer;
  /** Present if the body is large enough to gain from it. */
  readonly gzip?: Buffer;
}

interface Cached {
  readonly body: Promise<ViewBody | undefined>;
  readonly atMs: number;
}

/** Time for which a body is sent again. Many pages ask for the same view when it has changed. */
const MAX_AGE_MS = 1_000;
const MAX_CACHED = 32;
const LEAST_BYTES = 2_048;

const compress = promisify(gzip);

/** Bodies of views by address. Requests at the same time share one computation. */
export class ViewCache {
  readonly #clock: Clock;
  readonly #cached = new Map<string, Cached>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the body at an address; undefined if there is no such record. */
  get(address: string, compute: () => Promise<unknown>): Promise<ViewBody | undefined> {
    const atMs = this.#clock.monotonic();
    const known = this.#cached.get(address);
    if (known !== undefined && atMs - known.atMs < MAX_AGE_MS) return known.body;
    this.#cached.delete(address);
    if (this.#cached.size >= MAX_CACHED) {
      const [oldest] = this.#cached.keys();
      if (oldest !== undefined) this.#cached.delete(oldest);
    }
    const body = compute().then(bodyOf);
    const entry = { body, atMs };
    this.#cached.set(address, entry);
    body.catch(() => {
      if (this.#cached.get(address) === entry) this.#cached.delete(address);
    });
    return body;
  }

  clear(): void {
    this.#cached.clear();
  }
}

async function bodyOf(view: unknown): Promise<ViewBody | undefined> {
  if (view === undefined) return undefined;
  const json = Buffer.from(withoutUnseen(JSON.stringify(view)));
  if (json.length < LEAST_BYTES) return { json };
  // On another thread, and fast rather than small: most pages are on this machine.
  return { json, gzip: await compress(json, { level: 1 }) };
}
