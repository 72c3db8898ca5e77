import { type Clock, EVENT_KINDS, type RSILoop } from 'rsi-loop';
import type { DashboardEvent, DecisionRequest, FixRow, LoopStatus, ViewName, Views } from '../views.js';
import { sentenceOf } from './sentence-of.js';
import type { ViewSource } from './view-source.js';

/** Data of one loop, as `DashboardData` holds it. */
export interface LoopData {
  view<Name extends keyof Views>(
    name: Name,
    params: Readonly<Record<string, string>>,
  ): Promise<Views[Name] | undefined>;
  /** Reads what the store received since the last call. Returns the views whose data may differ now. */
  refresh(): Promise<readonly ViewName[]>;
  decide(request: DecisionRequest): Promise<{ readonly fix?: FixRow }>;
  close(): void;
}

export interface LiveOptions {
  readonly loop: RSILoop;
  readonly data: LoopData;
  readonly clock: Clock;
  readonly user?: string | undefined;
  /** Makes a decision elsewhere, if this loop only reads. Default: with `data`. */
  readonly decide?: LoopData['decide'] | undefined;
  /** Returns why the store cannot be read now, and what to do. The last figures stay visible. */
  readonly whyUnreadable?: (() => Promise<string | undefined>) | undefined;
}

/** Maximum time between two readings while pages are open. */
const READ_EVERY_MS = 5_000;
/** Maximum time that a request waits for a reading; after it, the last figures are sent and `changed` follows. */
const MAX_WAIT_MS = 250;
/** Minimum time between two looks at the end of the ledger. */
const LOOK_EVERY_MS = 1_000;

type Handler = (event: DashboardEvent) => void;

/** Views of a loop that follow its store while pages are open, and events about what differs. */
export class LiveViews implements ViewSource {
  readonly #options: LiveOptions;
  readonly #handlers = new Set<Handler>();
  readonly #ends: readonly (() => void)[];
  #reading: Promise<void> | undefined;
  #readMs = Number.NEGATIVE_INFINITY;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #entries: number | undefined;
  #unreadable: string | undefined;
  #hasRead = false;

  constructor(options: LiveOptions) {
    this.#options = options;
    const { loop, clock } = options;
    this.#ends = EVENT_KINDS.map((kind) =>
      loop.on(kind, (event) => {
        const message = sentenceOf(loop, event);
        if (message) this.#emit({ kind: 'happened', atMs: clock.now(), ...message });
        // The event precedes the end of its cycle.
        this.#lookedMs = Number.NEGATIVE_INFINITY;
      }),
    );
  }

  get user(): string | undefined {
    return this.#options.user;
  }

  async view<Name extends keyof Views>(
    name: Name,
    params: Readonly<Record<string, string>>,
  ): Promise<Views[Name] | undefined> {
    await this.follow();
    const view = await this.#options.data.view(name, params);
    if (name !== 'status' || this.#unreadable === undefined || view === undefined) return view;
    const status: LoopStatus = { ...(view as LoopStatus), stale: this.#unreadable }; // as the name says
    return status as Views[Name]; // likewise
  }

  async decide(request: DecisionRequest): Promise<{ readonly fix?: FixRow }> {
    const { data, decide = (asked) => data.decide(asked) } = this.#options;
    const answer = await decide(request);
    await this.#read();
    return answer;
  }

  onEvent(handler: Handler): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  async follow(): Promise<void> {
    if (!this.#hasRead) return this.#read();
    const { clock, loop } = this.#options;
    const nowMs = clock.monotonic();
    if (nowMs - this.#lookedMs < LOOK_EVERY_MS) return;
    this.#lookedMs = nowMs;
    const isDue = nowMs - this.#readMs >= READ_EVERY_MS;
    const head = isDue ? undefined : await loop.store.ledger.head().catch(() => undefined);
    if (!isDue && head?.length === this.#entries) return;
    const reading = this.#read();
    await new Promise<void>((resolve, reject) => {
      const cancel = clock.after(MAX_WAIT_MS, resolve, { background: true });
      reading.then(resolve, reject).finally(cancel);
    });
  }

  async close(): Promise<void> {
    for (const end of this.#ends) end();
    await this.#reading?.catch(() => undefined);
    this.#options.data.close();
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readNow(): Promise<void> {
    const { clock, data, loop, whyUnreadable } = this.#options;
    this.#readMs = clock.monotonic();
    const unreadable = await whyUnreadable?.();
    const hadFailed = this.#unreadable;
    this.#unreadable = unreadable;
    if (unreadable !== hadFailed) this.#emit({ kind: 'changed', views: ['status'] });
    if (unreadable !== undefined) return;
    const views = await data.refresh();
    this.#hasRead = true;
    this.#entries = (await loop.store.ledger.head()).length;
    if (views.length > 0) this.#emit({ kind: 'changed', views });
  }

  #emit(event: DashboardEvent): void {
    for (const handler of this.#handlers) handler(event);
  }
}
