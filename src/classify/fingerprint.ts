import { SignatureReader } from './signature.js';
import { signatureHex } from './signature-hex.js';

/**
 * Returns the fingerprint of a message's constant parts: 16 hexadecimal digits. It is a pure function of the message,
 * equal in every process and on every machine. Numbers, ids, paths, hosts, quoted values and similar parts do not
 * change it. Any value but a string is read as empty.
 */
export function fingerprint(message: string): string {
  return fingerprinter()(message);
}

/** Creates a `fingerprint` function for many messages that reuses its reader. */
export function fingerprinter(): (message: string) => string {
  const reader = new SignatureReader();
  return (message) => {
    reader.read(message);
    return signatureHex(reader.high, reader.low);
  };
}
