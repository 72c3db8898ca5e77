/** Longer messages are read up to here; it bounds the work per message and is part of what a fingerprint means. */
export const MAX_CHARACTERS = 4_096;

export interface Signature {
  high: number;
  low: number;
  /** Words and variables, neighbouring variables counted once. */
  tokens: number;
}

/** Hears of every token in order; `variable` stretches may be reported several times in a row. */
export type TokenListener = (start: number, end: number, variable: boolean) => void;

const SPACE = 0;
const DELIMITER = 1;
const LETTER = 2;
const DIGIT = 3;
const JOINER = 4;

/** Class per ASCII character; everything above is a letter. */
const CLASS = classTable();

/** The hash of one message's constant words, in order, with every variable stretch as one mark. */
export function readSignature(message: string, listen?: TokenListener): Signature {
  const signature: Signature = { high: 0xdeadbeef | 0, low: 0x41c6ce57, tokens: 0 };
  if (typeof message !== 'string') return signature;
  const end = Math.min(message.length, MAX_CHARACTERS);
  let afterVariable = false;
  let index = 0;
  while (index < end) {
    let kind = classOf(message.charCodeAt(index));
    if (kind <= DELIMITER) {
      index++;
      continue;
    }
    const start = index;
    let digits = false;
    let slashes = 0;
    let letters = 0;
    let high = 0;
    let low = 0;
    do {
      const unit = message.charCodeAt(index);
      kind = classOf(unit);
      if (kind <= DELIMITER) break;
      if (kind === DIGIT) digits = true;
      else if (kind === LETTER) letters++;
      else if (unit === 47 || unit === 92) slashes++;
      high = Math.imul(high ^ unit, 0x9e3779b1);
      low = Math.imul(low ^ unit, 0x5f356495);
      index++;
    } while (index < end);
    if (letters === 0 && !digits && slashes === 0) continue;
    const variable = digits || slashes > 1;
    listen?.(start, index, variable);
    if (variable && afterVariable) continue;
    afterVariable = variable;
    if (variable) {
      high = 1;
      low = 1;
    }
    signature.tokens++;
    signature.high = Math.imul(signature.high ^ high ^ (high >>> 15), 0x85ebca6b);
    signature.low = Math.imul(signature.low ^ low ^ (low >>> 15), 0xc2b2ae35);
  }
  return signature;
}

export function signatureHex(signature: Signature): string {
  const high = Math.imul(signature.high ^ (signature.high >>> 16), 0x85ebca6b) ^ (signature.low >>> 13);
  const low = Math.imul(signature.low ^ (signature.low >>> 16), 0xc2b2ae35) ^ (high >>> 13);
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0');
}

function classOf(unit: number): number {
  return unit < 128 ? (CLASS[unit] ?? LETTER) : LETTER;
}

function classTable(): Uint8Array {
  const table = new Uint8Array(128).fill(JOINER);
  table.fill(SPACE, 0, 33);
  table[127] = SPACE;
  for (const sign of ',;:()[]{}"\'=<>|`') table[sign.charCodeAt(0)] = DELIMITER;
  table.fill(DIGIT, 48, 58);
  table.fill(LETTER, 65, 91);
  table.fill(LETTER, 97, 123);
  return table;
}
