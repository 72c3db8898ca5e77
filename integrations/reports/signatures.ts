import type { LedgerEntry } from 'rsi-loop';
import { type Signature, type StoreCheck, signatureOf } from 'rsi-loop/node';
import type { StoredEntry } from 'rsi-loop/testing';
import { counted, whole } from './words/numbers.js';

/** Letters of a key in a line; the whole one is in the JSON document. */
const KEY_LETTERS = 8;

/** Words for a signature. */
export function signatureWords(signature: Signature): string {
  if (signature.kind === 'signed') return `signed with key ${signature.key.slice(0, KEY_LETTERS)}`;
  return signature.kind === 'unsigned' ? 'unsigned' : 'CHANGED since it was signed';
}

/** Returns the signatures of decisions, in order. Undefined if none is signed, as in a loop without keys. */
export function signaturesOf(history: readonly LedgerEntry[]): readonly Signature[] | undefined {
  const signatures = history.map(signatureOf);
  return signatures.every(({ kind }) => kind === 'unsigned') ? undefined : signatures;
}

/** Checks the signatures of all decisions. Those that an erasure changed no longer fit, and say nothing. */
export async function checkSignatures(entries: AsyncIterable<StoredEntry>): Promise<StoreCheck> {
  const seen = await readSigners(entries);
  const unexplained = seen.forged.filter((position) => !seen.erased.has(position));
  if (unexplained.length > 0) {
    const were = unexplained.length === 1 ? 'it was' : 'they were';
    const where = `entry ${unexplained.slice(0, 3).join(', ')}`;
    const found = `${counted(unexplained.length, 'decision')} changed since ${were} signed: ${where}`;
    return {
      name: 'signatures',
      ok: false,
      found,
      advice: 'compare the decisions with a backup before you trust them',
    };
  }
  const parts = [...seen.signers].map(([signer, count]) => `${whole(count)} by ${signer}`);
  if (seen.unsigned > 0) parts.push(`${whole(seen.unsigned)} unsigned`);
  if (seen.forged.length > 0) parts.push(`${whole(seen.forged.length)} changed by an erasure`);
  return { name: 'signatures', ok: true, found: parts.length === 0 ? 'no decision yet' : parts.join(', ') };
}

async function readSigners(entries: AsyncIterable<StoredEntry>) {
  const signers = new Map<string, number>();
  const erased = new Set<number>();
  const forged: number[] = [];
  let unsigned = 0;
  for await (const { position, entry } of entries) {
    if (entry.kind === 'cycle') continue;
    if (entry.kind === 'erased') for (const changed of entry.changed) erased.add(changed.position);
    const signature = signatureOf(entry);
    if (signature.kind === 'forged') forged.push(position);
    else if (signature.kind === 'unsigned') unsigned++;
    else {
      const signer = `${entry.by} with key ${signature.key.slice(0, KEY_LETTERS)}`;
      signers.set(signer, (signers.get(signer) ?? 0) + 1);
    }
  }
  return { signers, erased, forged, unsigned };
}
