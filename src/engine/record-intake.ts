import { BurstAlarm } from '../analyze/bursts.js';
import type { Outcome } from '../contract/outcome.js';
import type { Components } from './components.js';

/** Maximum number of records that wait before they are applied between cycles, which keeps cycles short. */
const RECORDS_PER_ABSORB = 10_000;
/** Records between two snapshots. If this process is killed, its successor re-reads at most these. */
const RECORDS_PER_SAVE = 100_000;
/** Outcomes buffered until the store has been read. */
const MAX_EARLY = 100_000;

/** Intake of the outcomes that this process records. Counts them for health and bursts before a cycle reads them. */
export class RecordIntake {
  readonly #components: () => Pick<Components, 'clock' | 'health' | 'events'>;
  readonly #onMany: () => void;
  readonly #bursts = new BurstAlarm();
  /** Outcomes recorded before the store was read, which then contains them; undefined afterwards. */
  #early: Outcome[] | undefined = [];
  /** Records since the last batch was applied, and since the last snapshot. */
  #unread = 0;
  #unsaved = 0;

  /** @param onMany Called for each record while 10,000 or more wait to be applied. */
  constructor(components: () => Pick<Components, 'clock' | 'health' | 'events'>, onMany: () => void) {
    this.#components = components;
    this.#onMany = onMany;
  }

  /** Counts the outcomes that were recorded before the store was read. */
  open(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const outcome of early) this.take(outcome);
  }

  take(outcome: Outcome): void {
    if (this.#early) {
      if (this.#early.length < MAX_EARLY) this.#early.push(outcome);
      return;
    }
    const { clock, health, events } = this.#components();
    health.record(outcome, clock.now());
    this.#unsaved++;
    if (++this.#unread >= RECORDS_PER_ABSORB) this.#onMany();
    const [issue] = outcome.issues;
    if (outcome.success || issue === undefined || issue === 'cancelled') return;
    const burst = this.#bursts.add({ task: outcome.task, issue, fingerprint: outcome.fingerprint ?? '' }, outcome.atMs);
    if (burst) events.emit(burst);
  }

  /** Notes that all records are applied. */
  applied(): void {
    this.#unread = 0;
  }

  /** Whether a snapshot is due. */
  get isSaveDue(): boolean {
    return this.#unsaved >= RECORDS_PER_SAVE;
  }

  /** Notes that a snapshot was saved. */
  saved(): void {
    this.#unsaved = 0;
  }
}
