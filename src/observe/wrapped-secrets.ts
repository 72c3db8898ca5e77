import { findShapes } from './find-shapes.js';
import { hasNameHint } from './secret-names.js';
import { findNamedSecrets } from './secret-values.js';
import type { Span } from './span.js';

/** Runs of base64. Hexadecimal matches as well. */
const RUN = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{23,}={0,2}/g;
const HEX = /^(?:0x)?(?:[0-9a-f]{24,}|[0-9A-F]{24,})$/;
/** Maximum characters of an encoded run that are decoded. */
const MAX_WRAP = 8_192;

/** Finds texts in base64 or hexadecimal that contain a secret. The whole run is redacted. */
export function findWrapped(text: string, found: Span[]): void {
  for (const match of text.matchAll(RUN)) {
    const [wrap] = match;
    const inside = HEX.test(wrap) ? fromHex(wrap) : beginsWithText(wrap) ? fromBase64(wrap) : undefined;
    if (inside === undefined || !holdsSecret(inside)) continue;
    found.push({ start: match.index, end: match.index + wrap.length, name: 'wrapped' });
  }
}

const LETTERS = /* @__PURE__ */ valuesOfLetters();

/** Returns whether the first eight letters decode to text. For most long words they do not. */
function beginsWithText(wrap: string): boolean {
  for (let index = 0; index < 8; index += 4) {
    let bits = 0;
    for (let at = index; at < index + 4; at++) bits = bits * 64 + (LETTERS[wrap.charCodeAt(at)] ?? 0);
    if (!isText(bits >> 16) || !isText((bits >> 8) & 255) || !isText(bits & 255)) return false;
  }
  return true;
}

function isText(code: number): boolean {
  return (code >= 32 && code < 127) || code === 10 || code === 9 || code === 13;
}

function valuesOfLetters(): Uint8Array {
  const values = new Uint8Array(128);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let index = 0; index < letters.length; index++) values[letters.charCodeAt(index)] = index;
  values['-'.charCodeAt(0)] = 62;
  values['_'.charCodeAt(0)] = 63;
  return values;
}

function holdsSecret(text: string): boolean {
  const found: Span[] = [];
  findShapes(text, found);
  if (found.length === 0 && hasNameHint(text)) findNamedSecrets(text, found);
  return found.length > 0;
}

function fromBase64(wrap: string): string {
  const plain = wrap
    .slice(0, MAX_WRAP)
    .replace(/-/g, '+')
    .replace(/_/g, '/')
    .replace(/(?<!=)=+$/, '');
  // A single letter after the last group of four is no byte.
  return atob(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0)));
}

/** Decodes hexadecimal. Returns `undefined` at the first byte that is not text. */
function fromHex(wrap: string): string | undefined {
  const digits = wrap.slice(0, MAX_WRAP).replace(/^0x/, '');
  let text = '';
  for (let index = 0; index + 1 < digits.length; index += 2) {
    const code = Number.parseInt(digits.slice(index, index + 2), 16);
    if (!isText(code)) return undefined;
    text += String.fromCharCode(code);
  }
  return text;
}
