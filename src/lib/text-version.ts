import { hashHex } from './hash.js';

/** Returns the version of a text, a hash of 16 hexadecimal digits. */
export function versionOf(text: string): string {
  return hashHex(text);
}

/** Returns the start of a version, as people read it. */
export function shortVersion(version: string): string {
  return version.slice(0, 8);
}
