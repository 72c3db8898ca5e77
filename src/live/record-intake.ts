import { BurstAlarm } from '../analyze/bursts.js';
import type { OutcomeId } from '../contract/ids.js';
import { isNoEvidence } from '../contract/issue.js';
import type { Outcome } from '../contract/outcome.js';
import { BoundedMap } from '../lib/bounded-map.js';
import { isObject } from '../lib/is-object.js';
import type { FixedComponents } from './fixed-components.js';
import { RecordWatch } from './record-watch.js';

/** Maximum number of records that wait before they are applied between cycles, which keeps cycles short. */
const RECORDS_PER_ABSORB = 10_000;
/** Records between two snapshots. If this process is killed, its successor re-reads at most these. */
const RECORDS_PER_SAVE = 100_000;
/** Outcomes buffered until the store has been read. */
const MAX_EARLY = 100_000;

/** Number of tasks whose slowest run is known. */
const MAX_TASKS = 1_000;

/** Part of a loop that counts records for the analysis. */
export interface RecordCounter {
  /** Counts an outcome of this process before the logs include it. Absent until the judge is loaded. */
  readonly analysis?: { record(outcome: Outcome, nowMs: number): void } | undefined;
}

/** Intake of the outcomes that this process records. Counts them for health and bursts before a cycle reads them. */
export class RecordIntake {
  readonly #front: Pick<FixedComponents, 'clock' | 'events'>;
  readonly #counter: RecordCounter;
  #absorb: () => void = () => undefined;
  readonly #bursts = new BurstAlarm();
  readonly #watch: RecordWatch;
  /** Duration of the slowest run of each task here, in milliseconds. */
  readonly #slowest = new BoundedMap<number>(MAX_TASKS);
  /** Outcomes recorded before the store was read, which then contains them; undefined afterwards. */
  #early: Outcome[] | undefined = [];
  /** Records since the last batch was applied, and since the last snapshot. */
  #unread = 0;
  #unsaved = 0;

  constructor(front: Pick<FixedComponents, 'clock' | 'events'>, counter: RecordCounter) {
    this.#front = front;
    this.#counter = counter;
    this.#watch = new RecordWatch((message) => front.events.emit({ kind: 'problem', where: 'record', message }));
  }

  /** Sets what is called for each record while 10,000 or more wait to be applied. */
  onMany(absorb: () => void): void {
    this.#absorb = absorb;
  }

  /** Buffers outcomes again until `open`. */
  hold(): void {
    this.#early ??= [];
  }

  /** Counts the outcomes that were recorded before the store was read, except those that are counted already. */
  open(counted: ReadonlySet<OutcomeId> = new Set()): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const outcome of early) this.#take(outcome, counted.has(outcome.id));
  }

  take(outcome: Outcome): void {
    if (!this.#early) this.#take(outcome, false);
    else if (this.#early.length < MAX_EARLY) this.#early.push(outcome);
  }

  #take(outcome: Outcome, isCounted: boolean): void {
    const { clock, events } = this.#front;
    if (!isCounted) this.#counter.analysis?.record(outcome, clock.now());
    this.#watch.take(outcome);
    this.#noteSlowest(outcome);
    this.#unsaved++;
    if (++this.#unread >= RECORDS_PER_ABSORB) this.#absorb();
    this.#bursts.count(outcome.task);
    const [issue] = outcome.issues;
    if (outcome.success || issue === undefined || isNoEvidence(outcome.issues)) return;
    const burst = this.#bursts.add({ task: outcome.task, issue, fingerprint: outcome.fingerprint ?? '' }, outcome.atMs);
    if (burst) events.emit(burst);
  }

  /** Returns the duration of the slowest run of a task that is known without the analysis; 0 if none is. */
  slowestMs(task: string): number {
    return this.#slowest.get(task) ?? 0;
  }

  /** Takes the slowest runs that an earlier process knew. */
  restoreSlowest(saved: unknown): void {
    if (!isObject(saved)) return;
    for (const [task, ms] of Object.entries(saved)) {
      if (typeof ms === 'number' && ms > this.slowestMs(task)) this.#slowest.put(task, ms);
    }
  }

  #noteSlowest({ task, durationMs = 0 }: Outcome): void {
    if (durationMs > this.slowestMs(task)) this.#slowest.put(task, durationMs);
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
