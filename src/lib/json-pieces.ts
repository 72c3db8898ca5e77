import type { Clock } from '../contract/clock.js';
import type { Json } from '../contract/json.js';
import { Pace } from './yield-to-event-loop.js';

/**
 * JSON list whose items are created one at a time during writing, so a large snapshot is never fully in memory.
 * `JSON.stringify` returns the same text as for the plain list. The sources must not change until then.
 */
export class LazyList<Source> {
  readonly #sources: Iterable<Source>;
  readonly #toJson: (source: Source) => unknown;

  constructor(sources: Iterable<Source>, toJson: (source: Source) => unknown) {
    this.#sources = sources;
    this.#toJson = toJson;
  }

  *[Symbol.iterator](): Generator<unknown> {
    for (const source of this.#sources) yield this.#toJson(source);
  }

  toJSON(): readonly unknown[] {
    return [...this];
  }
}

/** Returns a `LazyList`, typed as the JSON that it produces. */
export function lazyList<Source>(sources: Iterable<Source>, toJson: (source: Source) => Json): Json {
  // All readers of a snapshot treat it as JSON, where it is a list.
  return new LazyList(sources, toJson) as unknown as Json;
}

/** Maximum length of a slice, in characters. */
const CHARS_PER_SLICE = 65_536;

/** Yields the text of a snapshot in slices, with pauses for the event loop. */
export async function* jsonSlices(
  value: Json,
  clock: Pick<Clock, 'monotonic'>,
): AsyncGenerator<string, void, undefined> {
  const pace = new Pace(clock);
  let pieces: string[] = [];
  let chars = 0;
  for (const piece of jsonPieces(value)) {
    pieces.push(piece);
    chars += piece.length;
    if (chars >= CHARS_PER_SLICE) {
      yield pieces.join('');
      pieces = [];
      chars = 0;
    }
    if (pace.isDue) await pace.pause();
  }
  yield pieces.join('');
}

/** Number of items per piece of a longer list. Lists of primitive values, and these pieces, are written as a whole. */
const ITEMS_PER_PIECE = 50;

/** Yields the text that `JSON.stringify(value)` returns for a snapshot, in small pieces. */
export function* jsonPieces(value: unknown): Generator<string, void, undefined> {
  if (value instanceof LazyList) yield* piecesOfItems(value);
  else if (Array.isArray(value)) yield* piecesOfList(value);
  else if (typeof value === 'object' && value !== null) yield* piecesOfObject(value);
  else yield JSON.stringify(value) ?? 'null';
}

function* piecesOfList(list: readonly unknown[]): Generator<string, void, undefined> {
  if (list.length <= ITEMS_PER_PIECE) {
    if (list.some(hasParts)) yield* piecesOfItems(list);
    else yield JSON.stringify(list);
    return;
  }
  for (let from = 0; from < list.length; from += ITEMS_PER_PIECE) {
    const part = JSON.stringify(list.slice(from, from + ITEMS_PER_PIECE));
    yield (from === 0 ? '[' : ',') + part.slice(1, -1);
  }
  yield ']';
}

function* piecesOfItems(items: Iterable<unknown>): Generator<string, void, undefined> {
  let isFirst = true;
  yield '[';
  for (const item of items) {
    if (!isFirst) yield ',';
    isFirst = false;
    yield* jsonPieces(item);
  }
  yield ']';
}

function* piecesOfObject(object: object): Generator<string, void, undefined> {
  let text = '{';
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:`;
    if (!hasParts(value)) {
      text += JSON.stringify(value);
      continue;
    }
    yield text;
    yield* jsonPieces(value);
    text = '';
  }
  yield `${text}}`;
}

function hasParts(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
