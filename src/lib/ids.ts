/** Makes ids that are unique across processes and sort by (time, writer, counter). */
export type IdMaker = (atMs: number) => string;

/** `writer` must be unique among living processes; only its letters and digits are kept, at most 12. */
export function idMaker(writer: string): IdMaker {
  const name = writer.replace(/[^0-9A-Za-z]/g, '').slice(0, 12);
  let counter = 0;
  return (atMs) => {
    counter++;
    const time = Math.max(0, Math.floor(atMs)).toString(36).padStart(9, '0');
    return `${time}-${name}-${counter.toString(36).padStart(7, '0')}`;
  };
}
