// Stand-in for a model: it replies what a model replied when this was recorded.
import { readFileSync } from 'node:fs';

const replies = JSON.parse(readFileSync(new URL('./replies.json', import.meta.url), 'utf8'));

/** Returns the reply to a task. Another attempt may get another reply. */
export function ask(task, attempt = 1) {
  const name = /export function (\w+)/.exec(task)?.[1];
  return replies[name]?.[attempt - 1] ?? replies[name]?.at(-1) ?? 'I do not know.';
}
