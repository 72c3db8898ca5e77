import type { EraseFilter } from '../contract/erasure.js';
import { LoopError } from '../contract/errors.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { Json } from '../contract/json.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import { mustBe } from './must-be.js';
import { showValue } from './text.js';

export const ERASED = '[erased]';

/**
 * Returns a test for records that match the filter.
 * @throws LoopError `invalid-input` for a filter without a field, which would erase everything.
 */
export function eraseMatcher(filter: EraseFilter): (record: JournalRecord) => boolean {
  const { session, agent, source, text } = readFilter(filter);
  if ([session, agent, source, text].every((value) => value === undefined)) {
    throw new LoopError(
      'invalid-input',
      'erase needs a session, an agent, a source or a text: give at least one of them',
    );
  }
  const asJson = text === undefined ? undefined : JSON.stringify(text).slice(1, -1);
  return (record) => {
    const found = record.kind === 'start' ? { ...record.start.scope, session: record.start.session } : record.outcome;
    return (
      (session === undefined || found.session === session) &&
      (agent === undefined || found.agent === agent) &&
      (source === undefined || found.source === source) &&
      (asJson === undefined || JSON.stringify(record).includes(asJson))
    );
  };
}

/**
 * Reads each field of an argument of `erase` once.
 * @throws LoopError `invalid-input` if one cannot be read: without it, the filter would match more.
 */
export function readArgument<Argument extends object>(name: string, argument: Argument): Argument {
  try {
    return { ...argument };
  } catch (cause) {
    throw new LoopError('invalid-input', `the ${name} of erase cannot be read: give a plain object`, { cause });
  }
}

function readFilter(filter: EraseFilter): EraseFilter {
  const fields = readArgument('filter', filter);
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    mustBe(typeof value === 'string' && value !== '', name, showValue(value), 'a text that is not empty');
  }
  return fields;
}

/** Words of an erased record that a decision may quote. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_@.+-]+[\p{L}\p{N}]/gu;
/** Fields of a decision that may quote records. All others contain names, which a fix must keep. */
const QUOTING: ReadonlySet<string> = new Set([
  'reason',
  'text',
  'expectedEffect',
  'contradicts',
  'evidence',
  'label',
  'needs',
]);

export function wordsOf(value: unknown, into: Set<string> = new Set()): Set<string> {
  if (typeof value === 'string') for (const [word] of value.matchAll(WORD)) into.add(word);
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) wordsOf(inner, into);
  return into;
}

/** Collects the words in those fields of a decision that may quote records. */
export function quotedWords(entry: LedgerEntry, into: Set<string>): void {
  mapQuoted(entry, (text) => {
    wordsOf(text, into);
    return text;
  });
}

/** Returns a decision without some words and texts; the same object if it contains none of them. */
export function withoutWords(entry: LedgerEntry, words: ReadonlySet<string>, texts: readonly string[]): LedgerEntry {
  const clean = (piece: string) => {
    let left = piece.replaceAll(WORD, (word) => (words.has(word) ? ERASED : word));
    for (const gone of texts)
      left = left
        .split(ERASED)
        .map((part) => part.replaceAll(gone, ERASED))
        .join(ERASED);
    return left;
  };
  // Text that was already replaced stays unchanged.
  return mapQuoted(entry, (text) => text.split(ERASED).map(clean).join(ERASED));
}

function mapQuoted(entry: LedgerEntry, change: (text: string) => string): LedgerEntry {
  let isChanged = false;
  const visit = (value: Json, isQuoting: boolean): Json => {
    if (typeof value === 'string') {
      const changed = isQuoting ? change(value) : value;
      isChanged ||= changed !== value;
      return changed;
    }
    if (Array.isArray(value)) return value.map((inner: Json) => visit(inner, isQuoting));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner, QUOTING.has(key))]));
  };
  const changed = visit(entry as unknown as Json, false); // entries are plain JSON
  return isChanged ? (changed as unknown as LedgerEntry) : entry; // only texts differ
}
