import type { Outcome, RSILoop } from 'rsi-loop';
import { hash } from '../hash.js';

/** Position of a record: batch, file and number. Its id is made of these. */
export interface Place {
  readonly batch: string;
  readonly name: string;
  readonly number: number;
}

/** Creates the id of a record without one. It sorts by time and stays the same if the claimed file is read again. */
export function idOf(outcome: Outcome, { batch, name, number }: Place): Outcome['id'] {
  const time = Math.max(0, Math.floor(outcome.atMs)).toString(36).padStart(9, '0');
  return `${time}-${batch}.${hash(name)}.${number.toString(36)}` as Outcome['id']; // built as an outcome's id
}

const OF_PLACE = /^[0-9a-z]{9}-(([0-9a-z]+)\.[0-9a-z]+\.[0-9a-z]+)$/;

/** Records of given batches that are already in the journal. */
export class Recorded {
  readonly #places = new Set<string>();
  /** Ids that the records brought along, with the number of occurrences. */
  readonly #given = new Map<string, number>();

  /**
   * Finds what those writers left in the journal. Nothing else can exist: their other data died with them, and no other
   * writer recorded these batches.
   */
  static async find(loop: RSILoop, batches: readonly string[], writers: readonly string[]): Promise<Recorded> {
    const recorded = new Recorded();
    const wanted = new Set(batches);
    const all = Object.fromEntries(writers.map((writer) => [writer, Number.MAX_SAFE_INTEGER]));
    const own = new Set(writers.map((writer) => writer.replace(/[^0-9A-Za-z]/g, '').slice(0, 12)));
    for await (const { record } of loop.store.read('journal', {}, writers.length > 0 ? all : undefined)) {
      if (record.kind !== 'outcome') continue;
      const { id } = record.outcome;
      const [, place, batch] = OF_PLACE.exec(id) ?? [];
      if (place !== undefined && batch !== undefined) {
        if (wanted.has(batch)) recorded.#places.add(place);
      } else if (!own.has(id.split('-')[1] ?? '')) {
        // Ids from the loop contain their writer; they belong to tasks that ran and occur in no file.
        recorded.#given.set(id, (recorded.#given.get(id) ?? 0) + 1);
      }
    }
    return recorded;
  }

  /** Returns true if a record is already there. A record with its own id is found once per occurrence. */
  has({ id }: Outcome, { batch, name, number }: Place): boolean {
    if (id === '') return this.#places.has(`${batch}.${hash(name)}.${number.toString(36)}`);
    const count = this.#given.get(id) ?? 0;
    if (count > 0) this.#given.set(id, count - 1);
    return count > 0;
  }
}
