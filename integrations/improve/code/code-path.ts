/** Names that Windows gives to devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Letters that look the same everywhere. Names of pages and groups of web frameworks are among them. */
const PLAIN = /^[\w.@+$()[\]=,/-]*$/;
const LONGEST = 200;

/**
 * Returns why a path cannot be changed on every system alike; `undefined` if it can. Look-alike letters, short names of
 * Windows and paths that leave the repository are not possible.
 */
export function pathFault(path: string): string | undefined {
  if (path === '' || path.length > LONGEST) return `has ${path.length} characters of 1 to ${LONGEST}`;
  if (!PLAIN.test(path)) return 'has a character other than letters, digits and . _ - @ + $ ( ) [ ] = ,';
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'is not a plain path inside the repository';
    if (name.endsWith('.')) return 'has a name that ends with a dot';
    if (DEVICE.test(name)) return 'has a name that Windows gives to a device';
  }
  return undefined;
}
