import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { LedgerHead } from '../contract/ledger-log.js';
import { readAs } from '../lib/must-be.js';
import { isLedgerEntry } from './check-entry.js';
import { isPosition } from './check-record.js';
import { FORMAT } from './format.js';
import { hashOf } from './hash-of.js';
import { type ParsedLine, sealLine } from './line.js';

/** One ledger entry, with its line in the file. */
export interface LedgerLine {
  readonly position: number;
  /** Hash of the previous entry, as recorded in this one. */
  readonly previous: string;
  readonly hash: string;
  /** Hash of the line as it is now; present only if an erasure replaced words in it. */
  readonly changedTo?: string;
  /** The line itself, without its line break. */
  readonly text: string;
  readonly entry: LedgerEntry;
}

/** Returns the first line of a ledger file. A closing file has no entry and ends its part. */
export function ledgerHeader(from: number, closed = false): string {
  return sealLine(`"format":${FORMAT},"kind":"ledger","from":${from}${closed ? ',"closed":true' : ''}}`);
}

/** Returns a new file with entries that follow `after`, and the head after them. */
export function encodeEntries(
  entries: readonly LedgerEntry[],
  after: LedgerHead,
): { readonly bytes: Buffer; readonly head: LedgerHead } {
  const lines = [ledgerHeader(after.length)];
  let { length, hash } = after;
  for (const entry of entries) {
    const rest = restOf({ position: length, previous: hash, entry: JSON.stringify(entry) });
    lines.push(sealLine(rest));
    hash = hashOf(rest);
    length++;
  }
  return { bytes: Buffer.from(`${lines.join('\n')}\n`), head: { length, hash } };
}

/** Returns a file with lines as another store holds them, including those in which an erasure replaced words. */
export function encodeLines(lines: readonly Omit<LedgerLine, 'text'>[]): Buffer {
  const texts = lines.map(({ position, previous, hash, changedTo, entry }) =>
    sealLine(
      restOf({
        position,
        previous,
        entry: JSON.stringify(entry),
        ...(changedTo !== undefined && { was: hash }),
      }),
    ),
  );
  return Buffer.from(`${[ledgerHeader(lines[0]?.position ?? 0), ...texts].join('\n')}\n`);
}

/** Returns the line of an entry whose words an erasure replaced. It keeps the original hash, so the chain holds. */
export function replaceEntry(
  { position, previous, hash }: LedgerLine,
  entry: LedgerEntry,
): { line: string; hash: string } {
  const rest = restOf({ position, previous, entry: JSON.stringify(entry), was: hash });
  return { line: sealLine(rest), hash: hashOf(rest) };
}

/** Part of an entry that its hash covers. */
export interface HashedEntry {
  readonly position: number;
  readonly previous: string;
  /** The entry as JSON. */
  readonly entry: string;
  /** Hash before an erasure replaced words in it. */
  readonly was?: string;
}

/** Returns the hash of an entry in the chain, the same in every store. */
export function entryHash(entry: HashedEntry): string {
  return readAs('entry', 'an entry with its position and the hash before', () => hashOf(restOf(entry)));
}

function restOf({ position, previous, entry, was }: HashedEntry): string {
  return `"n":${position},"prev":"${previous}",${was === undefined ? '' : `"was":"${was}",`}"entry":${entry}}`;
}

/** Returns `undefined` if the content of an intact line is not an entry. */
export function readEntry(line: ParsedLine, text: string): LedgerLine | undefined {
  const { n, prev, was, entry } = line.value;
  if (!isPosition(n) || typeof prev !== 'string' || !isLedgerEntry(entry)) return undefined;
  const now = hashOf(line.rest);
  const changed = typeof was === 'string' ? { changedTo: now } : {};
  const hash = typeof was === 'string' ? was : now;
  // Checked field by field, which the compiler cannot see.
  return { position: n, previous: prev, hash, entry: entry as LedgerEntry, text, ...changed };
}
