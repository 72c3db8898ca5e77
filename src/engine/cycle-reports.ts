import type { Health } from '../contract/health.js';
import type { Pattern } from '../contract/pattern.js';
import type { DroppedStep } from '../ledger/legal-entries.js';
import { FailedCyclesNote } from '../lib/failed-cycles.js';
import { messageOf } from '../lib/text.js';
import { sanitizeText } from '../observe/sanitize.js';
import type { Components } from './components.js';

/** Number of dropped steps whose report is remembered. */
const MAX_DROPPED = 1_000;

/** Reports what happens in cycles: events for the host, and the note on failed cycles that `rsi doctor` reads. */
export class CycleReports {
  readonly #components: () => Components;
  readonly #healthThreshold: number | undefined;
  readonly #failedCycles: FailedCyclesNote;
  /** Recurring patterns of the last cycle. */
  #seen: ReadonlySet<string> = new Set();
  /** Messages of dropped steps that were already reported. */
  readonly #dropped = new Set<string>();

  constructor(components: () => Components, clock: Components['clock'], healthThreshold: number | undefined) {
    this.#components = components;
    this.#healthThreshold = healthThreshold;
    this.#failedCycles = new FailedCyclesNote(clock);
  }

  /** Reports an error that the loop recovered from. */
  report(where: string, error: unknown, advice?: string): void {
    const message = messageOf(error);
    this.#components().report({ where, message: advice ? `${message}; ${advice}` : message });
  }

  /** Emits the recurring patterns that the last cycle had not found. */
  patterns(patterns: readonly Pattern[]): void {
    const recurring = patterns.filter((pattern) => pattern.recurring);
    for (const pattern of recurring) {
      if (!this.#seen.has(pattern.id)) this.#components().events.emit({ kind: 'pattern-found', pattern });
    }
    this.#seen = new Set(recurring.map(({ id }) => id));
  }

  forgetPatterns(): void {
    this.#seen = new Set();
  }

  health(health: Health): void {
    const threshold = this.#healthThreshold;
    if (threshold === undefined || !health.known || health.score >= threshold) return;
    this.#components().events.emit({ kind: 'health-below', health, threshold });
  }

  /** Reports a step that is no longer legal, each message once. */
  dropped({ why }: DroppedStep): void {
    if (this.#dropped.has(why.message)) return;
    if (this.#dropped.size >= MAX_DROPPED) this.#dropped.clear();
    this.#dropped.add(why.message);
    this.report('ledger', why, 'this step was dropped, the others go on');
  }

  async finished(leads: boolean): Promise<void> {
    await this.#saveNote(this.#failedCycles.finished(this.#components().store, leads));
  }

  async failed(error: unknown): Promise<void> {
    this.report('cycle', error, 'this cycle was cut short, the next one continues from there');
    await this.#saveNote(this.#failedCycles.failed(this.#components().store, sanitizeText(messageOf(error))));
  }

  /** Saves a note on failed cycles. A failure to save it does not affect the cycle. */
  async #saveNote(saved: Promise<void>): Promise<void> {
    await saved.catch((error) => this.report('store', error, 'rsi doctor does not know whether cycles fail'));
  }
}
