import type { RunStatus, TaskStatus } from 'rsi-loop/orchestrate';
import type { RunRow } from '../../run-views.js';
import type { Tone } from '../parts/state.js';
import { count, countOf } from './format.js';

/** Colour of each status; the status itself is the word. */
export const TONES: Readonly<Record<RunStatus | TaskStatus, Tone>> = {
  waiting: 'quiet',
  running: 'trial',
  stopped: 'waits',
  done: 'confirmed',
  failed: 'failing',
  skipped: 'quiet',
  cancelled: 'quiet',
  replaced: 'quiet',
};

const OTHERS: readonly TaskStatus[] = ['running', 'failed', 'skipped', 'cancelled', 'replaced'];

/** Returns `12 of 50 tasks done, 4 running, 1 failed`. */
export function progressText({ counts, tasks }: Pick<RunRow, 'counts' | 'tasks'>): string {
  const others = OTHERS.filter((status) => counts[status] > 0).map((status) => `, ${count(counts[status])} ${status}`);
  return `${count(counts.done)} of ${countOf(tasks, 'task')} done${others.join('')}`;
}
