/** Source map of version 3, as far as positions need it. */
export interface SourceMap {
  readonly sources: readonly string[];
  readonly sourceRoot?: string;
  readonly mappings: string;
}

/** Position in a source, from 1. */
export interface SourcePosition {
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

/** Parses a source map; undefined if the text is none. */
export function parseSourceMap(text: string): SourceMap | undefined {
  try {
    const { sources, sourceRoot, mappings } = JSON.parse(text) as Partial<SourceMap>; // checked below
    const isMap = Array.isArray(sources) && typeof mappings === 'string';
    if (!isMap) return undefined;
    return { sources: sources.map(String), mappings, ...(typeof sourceRoot === 'string' && { sourceRoot }) };
  } catch {
    return undefined;
  }
}

/** Returns the original position of a generated one (from 1); undefined if the map has none on that line. */
export function originalPosition(map: SourceMap, line: number, column: number): SourcePosition | undefined {
  // Sources and lines are relative to the segment before, across lines. Generated columns start again on each line.
  const now = { source: 0, line: 0, column: 0 };
  let found: SourcePosition | undefined;
  for (const [index, segments] of map.mappings.split(';').slice(0, line).entries()) {
    let generated = 0;
    for (const segment of segments.split(',')) {
      const [step = 0, source, sourceLine = 0, sourceColumn = 0] = decode(segment);
      generated += step;
      if (source === undefined) continue;
      now.source += source;
      now.line += sourceLine;
      now.column += sourceColumn;
      const isNear = index === line - 1 && (!found || generated < column);
      if (isNear) found = positionOf(map, now) ?? found;
    }
  }
  return found;
}

function positionOf(
  { sources, sourceRoot = '' }: SourceMap,
  at: { readonly source: number; readonly line: number; readonly column: number },
): SourcePosition | undefined {
  const name = sources[at.source];
  return name === undefined ? undefined : { source: `${sourceRoot}${name}`, line: at.line + 1, column: at.column + 1 };
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes the base 64 numbers of a segment. Ends at the first character that is none. */
function decode(segment: string): readonly number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    if (digit < 0) break;
    value += (digit & 31) * 2 ** shift;
    shift += 5;
    if (digit & 32) continue;
    const size = Math.floor(value / 2);
    numbers.push(value % 2 === 1 ? -size : size);
    [value, shift] = [0, 0];
  }
  return numbers;
}
