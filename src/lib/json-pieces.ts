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

/**
 * Yields the text of a snapshot in slices, with pauses for the event loop. Each item of a `LazyList` that is in no other one
 * has a line of its own, so that a reader can parse it alone; no other line break is written.
 */
export async function* jsonSlices(
  value: Json,
  clock: Pick<Clock, 'monotonic'>,
): AsyncGenerator<string, void, undefined> {
  const pace = new Pace(clock);
  let pieces: string[] = [];
  let chars = 0;
  for (const piece of jsonPieces(value, '\n')) {
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

/**
 * Yields the text that `JSON.stringify(value)` returns for a snapshot, in small pieces, with `lineBreak` around each item of
 * a `LazyList` that is in no other one.
 */
export function* jsonPieces(value: unknown, lineBreak = ''): Generator<string, void, undefined> {
  if (value instanceof LazyList) yield* piecesOfItems(value, '', lineBreak);
  else if (Array.isArray(value)) yield* piecesOfList(value, lineBreak);
  else if (typeof value === 'object' && value !== null) yield* piecesOfObject(value, lineBreak);
  else yield JSON.stringify(value) ?? 'null';
}

function* piecesOfList(list: readonly unknown[], lineBreak: string): Generator<string, void, undefined> {
  if (list.length <= ITEMS_PER_PIECE) {
    if (list.some(hasParts)) yield* piecesOfItems(list, lineBreak);
    else yield JSON.stringify(list);
    return;
  }
  for (let from = 0; from < list.length; from += ITEMS_PER_PIECE) {
    const part = JSON.stringify(list.slice(from, from + ITEMS_PER_PIECE));
    yield (from === 0 ? '[' : ',') + part.slice(1, -1);
  }
  yield ']';
}

/** `within` is the line break for lists inside the items, `around` that for the items themselves. */
function* piecesOfItems(items: Iterable<unknown>, within: string, around = ''): Generator<string, void, undefined> {
  let isFirst = true;
  for (const item of items) {
    yield (isFirst ? '[' : ',') + around;
    isFirst = false;
    yield* jsonPieces(item, within);
  }
  yield isFirst ? '[]' : `${around}]`;
}

function* piecesOfObject(object: object, lineBreak: string): Generator<string, void, undefined> {
  let text = '{';
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:`;
    if (!hasParts(value)) {
      text += JSON.stringify(value);
      continue;
    }
    yield text;
    yield* jsonPieces(value, lineBreak);
    text = '';
  }
  yield `${text}}`;
}

function hasParts(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
