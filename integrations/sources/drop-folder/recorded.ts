import type { Outcome, RSILoop } from 'rsi-loop';
import { hash } from '../hash.js';

/** Where a record stood: batch, file and number, which is what its id is made of. */
export interface Place {
  readonly batch: string;
  readonly name: string;
  readonly number: number;
}

/** The id of a record that brings none: it sorts by time, and is the same whenever the claimed file is read again. */
export function idOf(outcome: Outcome, { batch, name, number }: Place): Outcome['id'] {
  const time = Math.max(0, Math.floor(outcome.atMs)).toString(36).padStart(9, '0');
  return `${time}-${batch}.${hash(name)}.${number.toString(36)}` as Outcome['id']; // made to be an outcome's id
}

const OF_PLACE = /^[0-9a-z]{9}-(([0-9a-z]+)\.[0-9a-z]+\.[0-9a-z]+)$/;

/** What of some batches stands in the journal already. */
export class Recorded {
  readonly #places = new Set<string>();
  /** Ids that came with their records, with how often they are there. */
  readonly #given = new Map<string, number>();

  /**
   * Looks through what those writers left in the journal, which is all there can be: everything else of theirs died with
   * them, and nobody else has recorded the batches.
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
        // The loop's own ids name their writer; they are of tasks that ran, and stand in no file.
        recorded.#given.set(id, (recorded.#given.get(id) ?? 0) + 1);
      }
    }
    return recorded;
  }

  /** Whether a record is there already; one that came with its own id is found once for each time it is. */
  has({ id }: Outcome, { batch, name, number }: Place): boolean {
    if (id === '') return this.#places.has(`${batch}.${hash(name)}.${number.toString(36)}`);
    const count = this.#given.get(id) ?? 0;
    if (count > 0) this.#given.set(id, count - 1);
    return count > 0;
  }
}
