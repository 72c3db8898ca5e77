/** Returns the JSON text of a parsed value, however deeply it is nested. `JSON.stringify` overflows the stack at about 4,000. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return piecesOf(value).join('');
  }
}

/** Text that is ready, or a value whose text is still to be written. */
type Piece = { readonly text: string } | { readonly value: unknown };

function piecesOf(whole: unknown): readonly string[] {
  const written: string[] = [];
  const left: Piece[] = [{ value: whole }];
  for (let piece = left.pop(); piece !== undefined; piece = left.pop()) {
    if ('text' in piece) written.push(piece.text);
    else if (typeof piece.value !== 'object' || piece.value === null) written.push(JSON.stringify(piece.value));
    else left.push(...partsOf(piece.value).reverse());
  }
  return written;
}

/** Returns brackets, names, commas and the values of one level. */
function partsOf(value: object): Piece[] {
  const isList = Array.isArray(value);
  const inside = Object.entries(value).flatMap(([name, inner], index): Piece[] => [
    { text: `${index === 0 ? '' : ','}${isList ? '' : `${JSON.stringify(name)}:`}` },
    { value: inner },
  ]);
  return [{ text: isList ? '[' : '{' }, ...inside, { text: isList ? ']' : '}' }];
}
