import { cut, neutral } from './neutral.js';
import type { Alert } from './options.js';

/** One alert in words. All recorded text in it is neutral. */
export interface Message {
  readonly kind: Alert | 'digest' | 'summary' | 'note';
  readonly atMs: number;
  readonly title: string;
  readonly lines: readonly string[];
  readonly task?: string;
  readonly issue?: string;
  readonly patternIds?: readonly string[];
  readonly fixIds?: readonly string[];
  /** Address from the options, not from recorded text. */
  readonly link?: string;
}

const MAX_TITLE = 120;
const MAX_LINE = 300;
const MAX_LINES = 14;

/** Limits a message to what a phone shows. */
export function capped(message: Message): Message {
  const lines = message.lines.slice(0, MAX_LINES).map((line) => cut(line, MAX_LINE));
  return { ...message, title: cut(message.title, MAX_TITLE), lines };
}

/** Formats a share with a sensible number of digits: `23 %`, `0.4 %`. */
export function percent(ratio: number): string {
  const value = ratio * 100;
  return `${value > 0 && value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value)} %`;
}

export function whole(count: number): string {
  return count.toLocaleString('en-US');
}

/** Names a matter: `charge_card · rate_limit`. */
export function nameOf(task: string, issue: string): string {
  return `${neutral(task, 60)} · ${neutral(issue, 40)}`;
}
