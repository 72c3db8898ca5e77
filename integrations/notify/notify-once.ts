import { SystemClock } from 'rsi-loop';
import { capped, type Message } from './message.js';
import { neutral } from './neutral.js';
import { sendersOf } from './notifier.js';
import type { NotifyOptions } from './notify-options.js';
import { readNotifyOptions } from './read-options.js';
import type { Sender } from './sender.js';

/** Message from code. Its texts may be recorded ones; they are redacted and made harmless. */
export interface Note {
  readonly title: string;
  readonly lines?: readonly string[];
  /** Address of a page about it; not from recorded text. */
  readonly link?: string;
}

/** Result for one target, named by kind and host. */
export interface Delivered {
  readonly target: string;
  readonly isSent: boolean;
  readonly problem?: string;
}

const ATTEMPTS = 3;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
const MAX_TEXT = 240;

/**
 * Sends one message to every target now, regardless of quiet hours. Makes three attempts for each. Never rejects
 * because of a target.
 * @throws LoopError `invalid-input` for invalid options.
 */
export async function notifyOnce(input: NotifyOptions, note: Note): Promise<readonly Delivered[]> {
  const options = readNotifyOptions(input);
  const clock = options.clock ?? new SystemClock();
  const message = capped({
    kind: 'note',
    atMs: clock.now(),
    title: neutral(note.title),
    lines: (note.lines ?? []).map((line) => neutral(line, MAX_TEXT)),
    ...linkOf(note.link),
  });
  const wait = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
  // Sockets do not keep the process alive, and this caller waits.
  let cancel = () => {};
  const stayAlive = () => {
    cancel = clock.after(LONGEST_WAIT_MS, stayAlive);
  };
  stayAlive();
  try {
    return await Promise.all(sendersOf(options).map((sender) => deliver(sender, message, wait)));
  } finally {
    cancel();
  }
}

/** Keeps only addresses that a browser opens as a page. */
function linkOf(link: string | undefined): { readonly link?: string } {
  if (link === undefined || !URL.canParse(link)) return {};
  const { protocol, href } = new URL(link);
  return protocol === 'https:' || protocol === 'http:' ? { link: href } : {};
}

async function deliver(sender: Sender, message: Message, wait: (ms: number) => Promise<void>): Promise<Delivered> {
  for (let attempt = 1; ; attempt++) {
    const result = await sender.send(message);
    if (result.kind === 'sent') return { target: sender.name, isSent: true };
    const waitMs = Math.max(FIRST_WAIT_MS * 4 ** (attempt - 1), result.retryAfterMs ?? 0);
    if (!result.mayPass || attempt === ATTEMPTS || waitMs > LONGEST_WAIT_MS) {
      return { target: sender.name, isSent: false, problem: result.why };
    }
    await wait(waitMs);
  }
}
