import type { Health } from '../contract/health.js';
import type { Pattern } from '../contract/pattern.js';
import { FailedCyclesNote } from '../lib/failed-cycles.js';
import { messageOf } from '../lib/text.js';
import type { Live } from '../live/live.js';
import { sanitizeText } from '../observe/sanitize.js';

/** Reports what happens in cycles: events for the host, and the note on failed cycles that `rsi doctor` reads. */
export class CycleReports {
  readonly #live: Pick<Live, 'components' | 'report'>;
  readonly #healthThreshold: number | undefined;
  readonly #failedCycles: FailedCyclesNote;
  /** Recurring patterns of the last cycle. */
  #seen: ReadonlySet<string> = new Set();

  constructor(live: Pick<Live, 'components' | 'report'>, healthThreshold: number | undefined) {
    this.#live = live;
    this.#healthThreshold = healthThreshold;
    this.#failedCycles = new FailedCyclesNote(live.components.clock);
  }

  /** Emits the recurring patterns that the last cycle had not found. */
  patterns(patterns: readonly Pattern[]): void {
    const recurring = patterns.filter((pattern) => pattern.recurring);
    for (const pattern of recurring) {
      if (!this.#seen.has(pattern.id)) this.#live.components.events.emit({ kind: 'pattern-found', pattern });
    }
    this.#seen = new Set(recurring.map(({ id }) => id));
  }

  forgetPatterns(): void {
    this.#seen = new Set();
  }

  health(health: Health): void {
    const threshold = this.#healthThreshold;
    if (threshold === undefined || !health.known || health.score >= threshold) return;
    this.#live.components.events.emit({ kind: 'health-below', health, threshold });
  }

  async finished(leads: boolean): Promise<void> {
    await this.#saveNote(this.#failedCycles.finished(this.#live.components.store, leads));
  }

  async failed(error: unknown): Promise<void> {
    this.#live.report('cycle', error, 'this cycle was cut short, the next one continues from there');
    await this.#saveNote(this.#failedCycles.failed(this.#live.components.store, sanitizeText(messageOf(error))));
  }

  /** Saves a note on failed cycles. A failure to save it does not affect the cycle. */
  async #saveNote(saved: Promise<void>): Promise<void> {
    await saved.catch((error) => this.#live.report('store', error, 'rsi doctor does not know whether cycles fail'));
  }
}
