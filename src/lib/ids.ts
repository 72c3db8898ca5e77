/** Creates ids that are unique across processes and sort by (time, writer, counter). */
export type IdMaker = (atMs: number) => string;

/**
 * Returns an id generator. `writer` must be unique among living processes. Only its letters and digits are used, at
 * most 12.
 */
export function idMaker(writer: string): IdMaker {
  const name = writer.replace(/[^0-9A-Za-z]/g, '').slice(0, 12);
  let counter = 0;
  let stemMs = Number.NaN;
  let stem = '';
  return (atMs) => {
    counter++;
    // All characters but the last stay the same for 36 ids of one millisecond.
    if (atMs !== stemMs || counter % 36 === 0) {
      const time = Math.max(0, Math.floor(atMs)).toString(36).padStart(9, '0');
      stemMs = atMs;
      stem = `${time}-${name}-${Math.floor(counter / 36)
        .toString(36)
        .padStart(6, '0')}`;
    }
    return stem + DIGITS[counter % 36];
  };
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';
