import type { Note, NotifyOptions } from 'rsi-loop/notify';
import type { Worsening, WorseReport } from '../../reports/worse/find-worse.js';
import { worseWords } from '../../reports/worse/worse-words.js';
import { isRecent } from './recently-worse.js';

/** Returns the key of a change among those that were sent. */
export function keyOf({ signal, noticedMs }: Worsening): string {
  return `${signal} ${noticedMs}`;
}

/** Returns the alert on changes that were not sent before; undefined if there is none. */
export function worseNote({ worsenings }: WorseReport, told: readonly string[], nowMs: number): Note | undefined {
  const news = worsenings.filter((one) => isRecent(one, nowMs) && !told.includes(keyOf(one)));
  if (news.length === 0) return undefined;
  return { title: 'Your coding agent got worse', lines: [...news.map(worseWords), 'More: rsi worse'] };
}

/** Sends the alert if the configuration has targets that want it. Returns whether it is settled: sent or not wanted. */
export async function sendWorse(note: Note, options: NotifyOptions | undefined): Promise<boolean> {
  if (!options || options.on?.includes('worse') === false) return true;
  const { notifyOnce } = await import('rsi-loop/notify');
  const delivered = await notifyOnce(options, note);
  return delivered.some(({ isSent }) => isSent);
}
