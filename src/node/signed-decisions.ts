import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { LoopError } from '../contract/errors.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { Store } from '../contract/store.js';
import { canonical } from '../lib/canonical.js';
import { isObject } from '../lib/is-object.js';

/** Whether a decision carries a signature that fits it. `key` is the beginning of the SHA-256 of the public key. */
export type Signature =
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'signed'; readonly key: string }
  /** The entry was changed after it was signed, or its signature is of something else. */
  | { readonly kind: 'forged' };

/** First bytes of an Ed25519 key in SPKI; the 32 bytes of the key follow. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_LETTERS = 16;

/**
 * Returns a store whose decisions are signed with a private Ed25519 key of a person or a service, in PEM. Each entry that
 * this process appends carries the public key and the signature of its content. Cycles decide nothing and stay unsigned.
 * @throws LoopError `invalid-input` for another key.
 */
export function signDecisions(store: Store, privateKey: string): Store {
  const key = privateKeyOf(privateKey);
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(SPKI.length);
  const { journal, snapshots, coordination, ledger } = store;
  const erase = store.erase?.bind(store);
  const onProblem = store.onProblem?.bind(store);
  const close = store.close?.bind(store);
  const onAppended = ledger.onAppended?.bind(ledger);
  const signed = (entry: LedgerEntry): LedgerEntry => {
    if (entry.kind === 'cycle') return entry;
    const value = sign(null, contentOf(entry), key).toString('base64url');
    // In place, because this process also keeps the entry that it decided.
    return Object.assign(entry, { signature: { key: publicKey.toString('base64url'), value } });
  };
  return {
    journal,
    snapshots,
    coordination,
    ledger: {
      head: () => ledger.head(),
      append: (entries, after) => ledger.append(entries.map(signed), after),
      read: (from, upTo) => ledger.read(from, upTo),
      ...(onAppended && { onAppended }),
    },
    ...(erase && { erase }),
    get away() {
      return store.away;
    },
    ...(onProblem && { onProblem }),
    ...(close && { close }),
  };
}

/** Checks the signature of a decision. It proves that the holder of a key made it, not who holds the key. */
export function signatureOf(entry: LedgerEntry): Signature {
  const { signature } = entry as { readonly signature?: unknown }; // any JSON
  if (signature === undefined) return { kind: 'unsigned' };
  if (!isObject(signature) || typeof signature.key !== 'string' || typeof signature.value !== 'string')
    return { kind: 'forged' };
  const raw = Buffer.from(signature.key, 'base64url');
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI, raw]), format: 'der', type: 'spki' });
    if (!verify(null, contentOf(entry), key, Buffer.from(signature.value, 'base64url'))) return { kind: 'forged' };
  } catch {
    return { kind: 'forged' };
  }
  return { kind: 'signed', key: createHash('sha256').update(raw).digest('hex').slice(0, KEY_LETTERS) };
}

/** Returns the signed bytes of an entry: all its fields but the signature, in a fixed order. */
function contentOf(entry: LedgerEntry): Buffer {
  // As it is read again: without what JSON leaves out.
  const { signature: _, ...content } = JSON.parse(JSON.stringify(entry)) as LedgerEntry & { signature?: unknown };
  return Buffer.from(`rsi-loop decision\n${canonical(content)}`);
}

function privateKeyOf(pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch (cause) {
    throw new LoopError('invalid-input', `the key for decisions is no private key in PEM: ${ADVICE}`, { cause });
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new LoopError('invalid-input', `the key for decisions is of type ${key.asymmetricKeyType}: ${ADVICE}`);
}

const ADVICE = 'create one with "openssl genpkey -algorithm ed25519 -out key.pem"';
