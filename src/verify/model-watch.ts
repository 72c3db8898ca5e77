import type { JournalRecord } from '../contract/journal-record.js';
import type { Marker } from '../contract/ledger-entry.js';
import { askedModel } from '../lib/attempts.js';

/** So many tasks in a row with another model are a change; a fallback now and then, or a drawn arm, is none. */
const IN_A_ROW = 20;
/** Tasks whose model is watched; names that come after them are not. */
const MAX_TASKS = 1_000;
const MAX_CHANGES = 500;

/** The model a task runs with, and the one that may be about to replace it. */
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

/** Notices when a task goes over to another model for good. Told in order, it finds the same after every restart. */
export class ModelWatch {
  readonly #tasks: Map<string, Watched>;
  #changes: readonly Marker[];

  constructor(snapshot: ModelWatchSnapshot = { tasks: [], changes: [] }) {
    this.#tasks = new Map(snapshot.tasks.map(([task, watched]) => [task, { ...watched }]));
    this.#changes = snapshot.changes;
  }

  /** Changes noticed, oldest first; each at the first task that ran with the new model. */
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
      { atMs: watched.sinceMs, kind: 'model', label, by: 'auto' },
    ];
    watched.model = model;
    watched.inARow = 0;
  }
}
