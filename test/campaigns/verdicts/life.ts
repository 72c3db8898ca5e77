import { type CycleReport, type LoopEvent, type OpenTask, type Policy, RSILoop, type RSILoopOptions } from 'rsi-loop';
import type { Issue } from '../../../src/contract/issue.js';
import type { Attempt } from '../../../src/contract/outcome.js';
import { seededRandom } from '../../../src/lib/random.js';
import { SkippingClock } from './skipping-clock.js';

/** A whole loop with a host whose life is simulated: its clock is moved by hand, its luck is seeded. */
export class Life {
  readonly clock = new SkippingClock(Date.UTC(2026, 0, 5));
  readonly luck: () => number;
  readonly loop: RSILoop;
  readonly verdicts: (LoopEvent & { kind: 'verdict' })[] = [];

  constructor(seed: number, options: RSILoopOptions = {}) {
    this.luck = seededRandom(seed);
    this.loop = new RSILoop({ clock: this.clock, random: seededRandom(seed + 1), idempotent: true, ...options });
    this.loop.on('verdict', (event) => void this.verdicts.push(event));
  }

  happens(chance: number): boolean {
    return this.luck() < chance;
  }

  /** Begins and ends a task in one step. `end` says how it went, by the settings it ran under. */
  task(name: string, end: (task: OpenTask) => Parameters<OpenTask['end']>[0]): void {
    const task = this.loop.begin(name);
    task.end(end(task));
  }

  /** Lets time pass and takes a cycle. */
  async cycle(skipMs = 0): Promise<CycleReport> {
    this.clock.skip(skipMs);
    return this.loop.runCycle();
  }
}

/** Error of one attempt; nothing when it went well. */
export type Failed = { readonly issue: Issue; readonly error: string } | undefined;

/** Attempts of a task as `loop.run` makes and records them, without its waits. */
export function attempts(policy: Policy, attempt: (number: number) => Failed): Parameters<OpenTask['end']>[0] {
  const made: Attempt[] = [];
  for (;;) {
    const failed = attempt(made.length + 1);
    made.push({ delayMs: 0, durationMs: 100, success: !failed, ...(failed && { issue: failed.issue }) });
    if (!failed) return { success: true, ...(made.length > 1 && { attempts: made }) };
    const most = Number((policy as unknown as Record<string, unknown>)[`retries.${failed.issue}`] ?? 0); // any issue may be asked for
    const done = made.filter(({ issue }) => issue === failed.issue).length - 1;
    if (done >= most) return { success: false, error: failed.error, attempts: made };
  }
}

export const PARSE_ERROR: Failed = { issue: 'parse_error', error: 'Unexpected token < in JSON at position 0' };
export const AUTH_ERROR: Failed = { issue: 'auth', error: '401 Unauthorized: invalid api key' };
