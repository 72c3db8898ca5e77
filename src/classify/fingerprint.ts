import { SignatureReader, signatureHex } from './signature.js';

/**
 * Names a message by what stays the same in it: 16 hexadecimal digits, a pure function of the message, equal in every
 * process and on every machine. Numbers, ids, paths, hosts, quoted values and the like do not change it.
 * Anything but a string is read as empty.
 */
export function fingerprint(message: string): string {
  return fingerprinter()(message);
}

/** `fingerprint` for whoever needs many: what it reads with is made once. */
export function fingerprinter(): (message: string) => string {
  const reader = new SignatureReader();
  return (message) => {
    reader.read(message);
    return signatureHex(reader.high, reader.low);
  };
}
