import { cut, neutral } from './neutral.js';
import type { Alert } from './notify-options.js';

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

/** Names a matter: `charge_card · rate_limit`. */
export function nameOf(task: string, issue: string): string {
  return `${neutral(task, 60)} · ${neutral(issue, 40)}`;
}
