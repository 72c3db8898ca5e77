import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { LoopError } from 'rsi-loop';

/** A value of a JSON text with its place in it, so that parts can be changed and all the rest stays as it is. */
export type JsonNode =
  | { readonly kind: 'object'; readonly start: number; readonly end: number; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly start: number; readonly end: number; readonly items: readonly JsonNode[] }
  | { readonly kind: 'value'; readonly start: number; readonly end: number };

export interface JsonMember {
  readonly key: string;
  /** Where its key begins. */
  readonly start: number;
  readonly value: JsonNode;
}

/** One change of a text: what stands between two places, and what is to stand there. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Finds the parts of a JSON text. Comments and commas behind the last member are let through, as some programs do.
 * @throws LoopError `invalid-input` with the line where it is no JSON.
 */
export function parseJsonText(text: string): JsonNode {
  const errors: ParseError[] = [];
  // A byte-order mark is no JSON: a space in its place leaves every offset as it is.
  const root = parseTree(text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const name = printParseErrorCode(first.error);
    throw notJson(text, first.offset, PROBLEMS[name] ?? name);
  }
  if (!root) throw notJson(text, 0, 'a value is missing');
  return nodeOf(root, text);
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((one, other) => other.start - one.start)
    .reduce((result, { start, end, text: put }) => result.slice(0, start) + put + result.slice(end), text);
}

export function memberOf(node: JsonNode | undefined, key: string): JsonMember | undefined {
  return node?.kind === 'object' ? node.members.find((member) => member.key === key) : undefined;
}

/** How a text is laid out: what it indents by and how it ends lines. */
export interface Layout {
  readonly unit: string;
  readonly newline: string;
}

export function layoutOf(text: string): Layout {
  return { unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ', newline: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** A value as text, indented as the text around it. */
export function written(value: unknown, depth: number, { unit, newline }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', newline + unit.repeat(depth));
}

/** Adds pieces at the end of an object or array. */
export function appendTo(node: JsonNode, pieces: readonly string[], depth: number, layout: Layout): TextEdit {
  const inner = layout.newline + layout.unit.repeat(depth + 1);
  const parts =
    node.kind === 'object' ? node.members.map(({ value }) => value) : node.kind === 'array' ? node.items : [];
  const last = parts.at(-1);
  const joined = pieces.join(`,${inner}`);
  if (last) return { start: last.end, end: last.end, text: `,${inner}${joined}` };
  const outer = layout.newline + layout.unit.repeat(depth);
  return { start: node.start + 1, end: node.end - 1, text: inner + joined + outer };
}

/** Takes parts of an object or array out, with the commas between. `parts` are all of it, as places. */
export function removeFrom(
  parts: readonly { readonly start: number; readonly end: number }[],
  isRemoved: (index: number) => boolean,
): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  const firstKept = parts.findIndex((_, index) => !isRemoved(index));
  const [first] = parts;
  const kept = parts[firstKept];
  if (first && kept && firstKept > 0) edits.push({ start: first.start, end: kept.start, text: '' });
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    if (index > firstKept && before && isRemoved(index)) edits.push({ start: before.end, end: part.end, text: '' });
  }
  return edits;
}

/** Deeper than any settings file; the parser calls itself once per level. */
const MAX_DEPTH = 200;

function nodeOf(found: Node, text: string, depth = 0): JsonNode {
  if (depth > MAX_DEPTH) throw notJson(text, found.offset, 'it is nested too deeply');
  const place = { start: found.offset, end: found.offset + found.length };
  const parts = found.children ?? [];
  if (found.type === 'array')
    return { kind: 'array', ...place, items: parts.map((part) => nodeOf(part, text, depth + 1)) };
  if (found.type !== 'object') return { kind: 'value', ...place };
  const members = parts.flatMap(({ offset, children: [key, value] = [] }): JsonMember[] =>
    key && value ? [{ key: String(key.value), start: offset, value: nodeOf(value, text, depth + 1) }] : [],
  );
  return { kind: 'object', ...place, members };
}

function notJson(text: string, offset: number, what: string): LoopError {
  const line = text.slice(0, offset).split('\n').length;
  return new LoopError('invalid-input', `line ${line} is no JSON: ${what}`);
}

/** What is wrong, in words; other errors are said by the name that the parser has for them. */
const PROBLEMS: Readonly<Record<string, string>> = {
  ValueExpected: 'a value is missing',
  PropertyNameExpected: 'a name in quotes is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'it has no end',
  CloseBracketExpected: 'it has no end',
  EndOfFileExpected: 'something follows its end',
  InvalidCharacter: 'a text is not written as JSON',
  InvalidEscapeCharacter: 'a text is not written as JSON',
  InvalidUnicode: 'a text is not written as JSON',
  UnexpectedEndOfString: 'a text has no end',
  UnexpectedEndOfComment: 'a comment has no end',
};
