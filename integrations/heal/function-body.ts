import { blanked } from './blanked.js';

/** Function in a source, with the positions of its body between the braces. */
export interface FoundFunction {
  readonly name: string;
  /** Position of its first character, without `export`. */
  readonly start: number;
  /** Positions after the opening brace, and of the closing one. */
  readonly bodyStart: number;
  readonly bodyEnd: number;
}

/**
 * Returns the function of this name; with a line, the one around it. Undefined if there is none with a body in braces, or
 * several.
 */
export function findFunction(source: string, name: string, line?: number): FoundFunction | undefined {
  const code = blanked(source);
  if (code === undefined || !/^[\w$#]+$/.test(name)) return undefined;
  const found: FoundFunction[] = [];
  for (let at = code.indexOf(name); at >= 0; at = code.indexOf(name, at + name.length)) {
    if (isPart(code[at - 1]) || isPart(code[at + name.length])) continue;
    const body = bodyAfter(code, at, name);
    if (body) found.push({ name, ...body });
  }
  if (line === undefined || found.length < 2) return found.length === 1 ? found[0] : undefined;
  const position = positionOf(source, line);
  const around = found.filter(({ start, bodyEnd }) => start <= position.end && bodyEnd >= position.start);
  return around.length === 1 ? around[0] : undefined;
}

/** Returns the source with another body of the function; undefined if the body would end it or another one. */
export function withBody(source: string, { bodyStart, bodyEnd }: FoundFunction, body: string): string | undefined {
  const code = blanked(body);
  if (code === undefined || !isBalanced(code)) return undefined;
  return source.slice(0, bodyStart) + body + source.slice(bodyEnd);
}

function isPart(character: string | undefined): boolean {
  return character !== undefined && /[\w$#]/.test(character);
}

/** Returns the body of the function whose name is at a position: a declaration, a value, or a method. */
function bodyAfter(code: string, at: number, name: string): Omit<FoundFunction, 'name'> | undefined {
  const before = code.slice(Math.max(0, at - 40), at);
  const declared = /(?:async\s+)?function\s*\*?\s*$/.exec(before);
  let from = skipSpace(code, at + name.length);
  let start = declared ? at - declared[0].length : at;
  if (!declared && code[from] === '=' && code[from + 1] !== '=' && code[from + 1] !== '>') {
    start = skipSpace(code, from + 1);
    from = afterWords(code, start);
  } else if (!declared && /[.,(]\s*$/.test(before)) return undefined; // a call or an argument
  if (code[from] === '<') from = skipSpace(code, matching(code, from, '<', '>') + 1);
  if (code[from] !== '(') return undefined;
  const end = matching(code, from, '(', ')');
  const open = end < 0 ? -1 : braceAfter(code, end + 1);
  const close = open < 0 ? -1 : matching(code, open, '{', '}');
  return close < 0 ? undefined : { start, bodyStart: open + 1, bodyEnd: close };
}

/** Skips `async function* name` in front of parameters. */
function afterWords(code: string, from: number): number {
  const words = /^(?:async\b\s*)?(?:function\b\s*\*?\s*[\w$]*\s*)?/.exec(code.slice(from, from + 200));
  return skipSpace(code, from + (words?.[0].length ?? 0));
}

/** Returns the brace that opens the body: after `)`, a type of the result, and `=>`. */
function braceAfter(code: string, from: number): number {
  const start = skipSpace(code, from);
  return code[start] === ':'
    ? braceAfterType(code, start + 1)
    : braceAt(code, code.startsWith('=>', start) ? start + 2 : start);
}

function braceAt(code: string, from: number): number {
  const at = skipSpace(code, from);
  return code[at] === '{' ? at : -1;
}

/** In a type, a brace at its beginning or after one of `|&,<:` opens a type, and any other one the body. */
function braceAfterType(code: string, from: number): number {
  let last = ':';
  for (let at = from; at < code.length; at++) {
    const character = code[at] ?? '';
    if (character === '{' && !':|&,<'.includes(last)) return at;
    if (character === '{') at = matching(code, at, '{', '}');
    if (at < 0 || ';)}'.includes(character)) return -1;
    if (!/\s/.test(character)) last = character;
  }
  return -1;
}

function skipSpace(code: string, from: number): number {
  let at = from;
  while (/\s/.test(code[at] ?? '')) at++;
  return at;
}

function matching(code: string, from: number, open: string, close: string): number {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    if (code[at] === open) depth++;
    // The arrow of a function is no closing bracket.
    if (code[at] === close && !(close === '>' && code[at - 1] === '=') && --depth === 0) return at;
  }
  return -1;
}

const PAIRS: Readonly<Record<string, string>> = { '}': '{', ')': '(', ']': '[' };

function isBalanced(code: string): boolean {
  const open: string[] = [];
  for (const character of code) {
    if (character === '{' || character === '(' || character === '[') open.push(character);
    const wanted = PAIRS[character];
    if (wanted !== undefined && open.pop() !== wanted) return false;
  }
  return open.length === 0;
}

function positionOf(source: string, line: number): { readonly start: number; readonly end: number } {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = source.indexOf('\n', start);
    if (next < 0) break;
    start = next + 1;
  }
  const end = source.indexOf('\n', start);
  return { start, end: end < 0 ? source.length : end };
}
