import type { JournalRecord } from '../contract/journal-record.js';
import type { Marker } from '../contract/ledger-entry.js';
import { askedModel } from '../lib/attempts.js';

/** Consecutive tasks with another model that count as a change. An occasional fallback or a randomised arm does not. */
const IN_A_ROW = 20;
/** Limit on watched task names. Later names are not watched. */
const MAX_TASKS = 1_000;
const MAX_CHANGES = 500;

/** Current model of a task, and the one that may be about to replace it. */
interface Watched {
  model: string;
  next: string;
  sinceMs: number;
  inARow: number;
}

export interface ModelWatchSnapshot {
  readonly tasks: readonly (readonly [string, Readonly<Watched>])[];
  readonly changes: readonly Marker[];
}

/**
 * Detector of lasting model changes per task. Given the same order of outcomes, it finds the same after every restart.
 */
export class ModelWatch {
  readonly #tasks: Map<string, Watched>;
  #changes: readonly Marker[];

  constructor(snapshot: ModelWatchSnapshot = { tasks: [], changes: [] }) {
    this.#tasks = new Map(snapshot.tasks.map(([task, watched]) => [task, { ...watched }]));
    this.#changes = snapshot.changes;
  }

  /** Detected changes, oldest first, each dated at the first task that ran with the new model. */
  get changes(): readonly Marker[] {
    return this.#changes;
  }

  absorb(records: readonly JournalRecord[]): void {
    for (const record of records) {
      const model = record.kind === 'outcome' ? askedModel(record.outcome) : undefined;
      if (record.kind !== 'outcome' || model === undefined) continue;
      this.#see(record.outcome.task, model, record.outcome.atMs);
    }
  }

  snapshot(): ModelWatchSnapshot {
    return { tasks: [...this.#tasks].map(([task, watched]) => [task, { ...watched }]), changes: this.#changes };
  }

  #see(task: string, model: string, atMs: number): void {
    const watched = this.#tasks.get(task);
    if (!watched) {
      if (this.#tasks.size < MAX_TASKS) this.#tasks.set(task, { model, next: model, sinceMs: atMs, inARow: 0 });
      return;
    }
    if (model === watched.model) {
      watched.inARow = 0;
      return;
    }
    if (watched.inARow === 0 || model !== watched.next) {
      watched.next = model;
      watched.sinceMs = atMs;
      watched.inARow = 0;
    }
    watched.inARow++;
    if (watched.inARow < IN_A_ROW) return;
    const label = `${task}: ${watched.model} -> ${model}`;
    this.#changes = [
      ...this.#changes.slice(1 - MAX_CHANGES),
      { atMs: watched.sinceMs, kind: 'model', label, by: 'auto', task },
    ];
    watched.model = model;
    watched.inARow = 0;
  }
}
