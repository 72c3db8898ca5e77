import { findShapes } from './find-shapes.js';
import type { Span } from './span.js';

/**
 * Matches what may separate two parts of a secret: a line break, or the quotes of joined texts (`"sk-proj-" + "..."`)
 * or list items (`["sk-proj-", "..."]`). The part before has at least 8 characters, or is an issuer's prefix in quotes.
 */
const BREAK =
  /(?=[\s"'`\\])(?<=[A-Za-z0-9_+/=.~-]{8}|["'`][A-Za-z][A-Za-z0-9_-]{1,5}[_-])(?:[ \t]*(?:\r?\n|\r)[ \t>|+"']*|\\?["'`][ \t\r\n]{0,20}(?:[+,.&|]{0,2}|\\(?=[\r\n]))[ \t\r\n]{0,20}\\?["'`])(?=[A-Za-z0-9_+/=.~-]{4})/g;
/** Characters on each side of a break that are checked together. */
const HALF = 256;
/** Maximum breaks checked pair by pair. A text with more is a listing, of which only the first part is checked so. */
const MAX_PAIRS = 256;

/** Finds secrets that were split into parts: with all breaks closed, and with each one closed alone. */
export function findSplit(text: string, found: Span[]): void {
  const breaks: Break[] = [];
  let joined = '';
  let past = 0;
  let pairs = 0;
  let hasPart = false;
  for (const match of text.matchAll(BREAK)) {
    joined += text.slice(past, match.index);
    past = match.index + match[0].length;
    breaks.push({ at: joined.length, width: match[0].length });
    const before = PART_BEFORE.exec(text.slice(Math.max(0, match.index - HALF), match.index))?.[0] ?? '';
    const after = PART_AFTER.exec(text.slice(past, past + HALF))?.[0] ?? '';
    // Two words are not a secret.
    if (!/[0-9]/.test(before) && !/[0-9]/.test(after)) continue;
    hasPart = true;
    if (++pairs <= MAX_PAIRS) findInPair(before, after, match.index, past, found);
  }
  if (!hasPart) return;
  joined += text.slice(past);
  const inJoined: Span[] = [];
  findShapes(joined, inJoined);
  for (const span of inJoined) {
    const inner = breaks.filter(({ at }) => at > span.start && at < span.end);
    if (inner.length === 0) continue; // found in the text as it is
    found.push({
      start: toOriginal(span.start, breaks),
      end: endOfSecret(joined, span, inner, breaks),
      name: span.name,
    });
  }
}

const PART_BEFORE = /(?<![A-Za-z0-9_+/=.~-])[A-Za-z0-9_+/=.~-]*$/;
const PART_AFTER = /^[A-Za-z0-9_+/=.~-]*/;

/**
 * Finds secrets across one break. Text on the line after a secret of fixed length must not be joined to it, so each
 * break is also closed alone.
 */
function findInPair(before: string, after: string, start: number, end: number, found: Span[]): void {
  const inPair: Span[] = [];
  findShapes(before + after, inPair);
  for (const span of inPair) {
    if (span.start >= before.length || span.end <= before.length) continue;
    found.push({ start: start - before.length + span.start, end: end + span.end - before.length, name: span.name });
  }
}

/** Position of a break in the joined text, and its width. */
interface Break {
  readonly at: number;
  readonly width: number;
}

/**
 * Returns the end of a secret. A part on a further line belongs to it only while it looks like one, unlike a plain
 * word.
 */
function endOfSecret(joined: string, span: Span, inner: readonly Break[], breaks: readonly Break[]): number {
  let end = span.end;
  for (let index = inner.length - 1; index >= 0; index--) {
    const at = inner[index]?.at ?? 0;
    const piece = joined.slice(at, end);
    if (/[0-9+/=]/.test(piece) || piece.length >= 12 || /[a-z][A-Z]/.test(piece)) break;
    end = at;
  }
  return toOriginal(end, breaks);
}

function toOriginal(position: number, breaks: readonly Break[]): number {
  let moved = 0;
  for (const { at, width } of breaks) {
    if (at >= position) break;
    moved += width;
  }
  return position + moved;
}
