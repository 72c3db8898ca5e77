import {
  type Clock,
  LoopError,
  type LoopEvent,
  type RSILoop,
  redact,
  reportProblem,
  SystemClock,
  type Verdict,
} from 'rsi-loop';

export interface WebhookOptions {
  /** Address to POST to; http or https, without credentials. */
  readonly url: string | URL;
  /** Default: `verdict`, `fix-proposed`, `fix-rolled-back`, `burst`, `health-below`. */
  readonly events?: readonly LoopEvent['kind'][];
  /** Extra request headers, e.g. `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Shortest time between two bodies; events in between are batched. Default 60,000 ms. */
  readonly everyMs?: number;
  /** Longest wait for an answer. Default 10,000 ms. */
  readonly timeoutMs?: number;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch;
  /** Default: the machine's time. */
  readonly clock?: Clock;
}

/** One event, in words. */
export interface WebhookNotice {
  readonly kind: LoopEvent['kind'];
  readonly atMs: number;
  readonly text: string;
  readonly fixId?: string;
}

/** JSON body of a request. `text` holds everything as lines, which is what chat services show. */
export interface WebhookBody {
  readonly text: string;
  readonly sentMs: number;
  readonly notices: readonly WebhookNotice[];
  /** Number of further events by kind, which exceeded the limit or could not be sent before. */
  readonly left: Readonly<Record<string, number>>;
}

const DEFAULT_EVENTS = ['verdict', 'fix-proposed', 'fix-rolled-back', 'burst', 'health-below'] as const;
/** Events listed one by one in a body; beyond that, only counts per kind. */
const MAX_NOTICES = 50;
const MAX_TEXT = 300;
/** Waits before the second and the third attempt. */
const RETRY_AFTER_MS = [1_000, 4_000] as const;
/** Longest Retry-After that is honored; after a longer one the events go into the next body's counts. */
const LONGEST_WAIT_MS = 60_000;
const WHERE = 'webhook';

/**
 * POSTs a loop's events to an address. Never throws into the host; a failed delivery is reported as `problem`. Its
 * timers never keep the process alive. Returns a function that stops it and sends the waiting events, in one last
 * attempt.
 * @throws LoopError `invalid-input` for an invalid address or time.
 */
export function webhookNotifier(loop: RSILoop, options: WebhookOptions): () => Promise<void> {
  const notifier = new Notifier(loop, options);
  const ends = [...new Set(options.events ?? DEFAULT_EVENTS)].map((kind) =>
    loop.on(kind, (event) => notifier.take(event)),
  );
  return () => {
    for (const end of ends) end();
    return notifier.stop();
  };
}

class Notifier {
  readonly #loop: RSILoop;
  readonly #url: string;
  readonly #host: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #everyMs: number;
  readonly #timeoutMs: number;
  readonly #fetch: typeof fetch;
  readonly #clock: Clock;
  #notices: WebhookNotice[] = [];
  #left = new Map<string, number>();
  /** Earliest time of the next body, on the monotonic clock. */
  #nextMs = 0;
  #cancelTimer: (() => void) | undefined;
  #sending: Promise<void> | undefined;
  #isStopped = false;
  #endPause = () => {};

  constructor(loop: RSILoop, options: WebhookOptions) {
    const url = readUrl(options.url);
    this.#loop = loop;
    this.#url = url.href;
    this.#host = url.host;
    this.#headers = readHeaders({ ...options.headers, 'content-type': 'application/json' });
    this.#everyMs = readMs('everyMs', options.everyMs ?? 60_000, 0);
    this.#timeoutMs = readMs('timeoutMs', options.timeoutMs ?? 10_000, 1);
    this.#fetch = options.fetch ?? globalThis.fetch;
    this.#clock = options.clock ?? new SystemClock();
  }

  take(event: LoopEvent): void {
    // Prevents an endless loop: its own failures would be sent again.
    if (event.kind === 'problem' && event.where === WHERE) return;
    if (this.#notices.length < MAX_NOTICES) this.#notices.push(this.#noticeOf(event));
    else this.#leave(event.kind);
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer?.();
    this.#endPause();
    await this.#sending;
    if (this.#notices.length > 0) await this.#send();
  }

  #noticeOf(event: LoopEvent): WebhookNotice {
    const text = plainLine(redact(describe(event)));
    const fixId = 'fix' in event ? { fixId: event.fix.id } : {};
    return { kind: event.kind, atMs: this.#clock.now(), text: text.slice(0, MAX_TEXT), ...fixId };
  }

  #leave(kind: string): void {
    this.#left.set(kind, (this.#left.get(kind) ?? 0) + 1);
  }

  #schedule(): void {
    if (this.#cancelTimer || this.#sending || this.#isStopped) return;
    const waitMs = Math.max(0, this.#nextMs - this.#clock.monotonic());
    const go = () => {
      this.#cancelTimer = undefined;
      this.#sending = this.#send().then(() => {
        this.#sending = undefined;
        if (this.#notices.length > 0) this.#schedule();
      });
    };
    this.#cancelTimer = this.#clock.after(waitMs, go, { background: true });
  }

  async #send(): Promise<void> {
    const notices = this.#notices;
    const left = Object.fromEntries(this.#left);
    const lines = [
      ...notices.map(({ text }) => text),
      ...Object.entries(left).map(([kind, count]) => `and ${count} more of ${kind}`),
    ];
    const body: WebhookBody = { text: lines.join('\n'), sentMs: this.#clock.now(), notices, left };
    this.#notices = [];
    this.#left = new Map();
    this.#nextMs = this.#clock.monotonic() + this.#everyMs;
    const failure = await this.#post(JSON.stringify(body));
    if (failure === undefined) return;
    // The next body counts the events that were not delivered.
    for (const [kind, count] of Object.entries(left)) this.#left.set(kind, count + (this.#left.get(kind) ?? 0));
    for (const { kind } of notices) this.#leave(kind);
    reportProblem(this.#loop, WHERE, `${this.#host}: ${notices.length} notices were not sent: ${failure}`);
  }

  /** Returns why the body could not be sent; `undefined` if it was. */
  async #post(body: string): Promise<string | undefined> {
    for (let attempt = 0; ; attempt++) {
      const { problem, mayPass, afterMs } = await this.#try(body);
      if (problem === undefined) return undefined;
      const waitMs = Math.max(afterMs ?? 0, RETRY_AFTER_MS[attempt] ?? Number.POSITIVE_INFINITY);
      if (!mayPass || this.#isStopped || waitMs > LONGEST_WAIT_MS) return problem;
      await this.#pause(waitMs);
    }
  }

  async #try(body: string): Promise<{ problem?: string; mayPass?: boolean; afterMs?: number }> {
    const abort = new AbortController();
    const timedOut = new Error(`no answer within ${this.#timeoutMs} ms`);
    const cancel = this.#clock.after(this.#timeoutMs, () => abort.abort(timedOut), { background: true });
    try {
      // A redirect would send the headers to another server.
      const init = { method: 'POST', headers: this.#headers, body, signal: abort.signal, redirect: 'manual' } as const;
      const response = await this.#fetch.call(globalThis, this.#url, init);
      await response.body?.cancel().catch(() => undefined);
      if (response.ok) return {};
      const { status } = response;
      const seconds = Number(response.headers.get('retry-after') ?? 0);
      return {
        problem: `it answered ${status}`,
        mayPass: status === 408 || status === 429 || status >= 500,
        ...(seconds > 0 && { afterMs: seconds * 1_000 }),
      };
    } catch (error) {
      return { problem: this.#say(error), mayPass: true };
    } finally {
      cancel();
    }
  }

  async #pause(ms: number): Promise<void> {
    let cancel = () => {};
    await new Promise<void>((resolve) => {
      cancel = this.#clock.after(ms, resolve, { background: true });
      this.#endPause = resolve;
    });
    cancel();
  }

  /** Returns an error's text. The address itself may be a secret, so only its host is reported. */
  #say(error: unknown): string {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    const message = `${error instanceof Error ? error.message : String(error)}${cause}`;
    return redact(message.replaceAll(this.#url, this.#host)).slice(0, MAX_TEXT);
  }
}

/**
 * Returns one line without markup. Task names come from outside, and chat services turn some characters into mentions
 * and links. Look-alike characters stay readable and have no such effect.
 */
function plainLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .replace(/[@<>[\]`*~|]/g, (sign) => HARMLESS[sign] ?? ' ')
    .replace(/:\/\//g, ': //');
}

const HARMLESS: Readonly<Record<string, string>> = {
  '@': '\uff20',
  '<': '\u2039',
  '>': '\u203a',
  '[': '(',
  ']': ')',
  '`': "'",
  '*': '\u2217',
  '~': '\u223c',
  '|': '\u2223',
};

function describe(event: LoopEvent): string {
  switch (event.kind) {
    case 'verdict':
      return `${event.fix.target} for ${event.fix.task}: ${describeVerdict(event.verdict)}`;
    case 'fix-proposed':
      return `proposed ${event.fix.target} for ${event.fix.task}: ${event.fix.reason}${event.fix.needs ? `; ${event.fix.needs}` : ''}`;
    case 'fix-rolled-back':
      return `rolled back: ${event.fix.target} for ${event.fix.task}: ${event.reason}`;
    case 'fix-approved':
    case 'fix-rejected':
    case 'fix-reopened':
    case 'trial-started':
    case 'trial-progressed':
      return `${event.kind}: ${event.fix.target} for ${event.fix.task}`;
    case 'burst':
      return `burst: ${event.count} times ${event.issue} at ${event.task}`;
    case 'health-below':
      return `health is ${event.health.score.toFixed(2)}, below ${event.threshold}`;
    case 'pattern-found':
      return `pattern: ${event.pattern.count} times ${event.pattern.issue} at ${event.pattern.task}: ${event.pattern.template}`;
    case 'rebuild-progressed':
      return `${event.records} of ${event.of} stored records have been read again`;
    case 'outcomes-dropped':
      return `${event.count} outcomes were dropped: ${event.reason}`;
    case 'problem':
      return `problem (${event.where}): ${event.message}`;
    default:
      return event satisfies never;
  }
}

function describeVerdict(verdict: Verdict): string {
  const { kind } = verdict;
  if (!('figures' in verdict)) return `${kind}: it was not randomised`;
  const { fix, control } = verdict.figures;
  return `${kind}, ${fix.failures} of ${fix.tasks} failed with it, ${control.failures} of ${control.tasks} without`;
}

function readUrl(input: unknown): URL {
  const url = URL.canParse(String(input)) ? new URL(String(input)) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new LoopError(
      'invalid-input',
      'url of the webhook is not an address: give one that begins with http or https',
    );
  }
  if (url.username === '' && url.password === '') return url;
  throw new LoopError('invalid-input', 'url of the webhook holds a user or password: send them in `headers`');
}

function readHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    // The platform's error would show the value.
    throw new LoopError('invalid-input', 'a header of the webhook cannot be sent: look for line ends in it');
  }
}

function readMs(name: string, value: number, min: number): number {
  if (value >= min && Number.isFinite(value)) return value;
  throw new LoopError('invalid-input', `${name} of the webhook is ${value}: give milliseconds, at least ${min}`);
}
