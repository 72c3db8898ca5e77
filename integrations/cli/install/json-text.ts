import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { LoopError } from 'rsi-loop';

/** Value of a JSON text with its position, so that parts can be changed while the rest stays as it is. */
export type JsonNode =
  | { readonly kind: 'object'; readonly start: number; readonly end: number; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly start: number; readonly end: number; readonly items: readonly JsonNode[] }
  | { readonly kind: 'value'; readonly start: number; readonly end: number };

export interface JsonMember {
  readonly key: string;
  /** Offset where its key begins. */
  readonly start: number;
  readonly value: JsonNode;
}

/** Replacement of the text between two offsets. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Parses a JSON text into nodes with positions. Accepts comments and trailing commas, as some programs do.
 * @throws LoopError `invalid-input` with the line if it is invalid JSON.
 */
export function parseJsonText(text: string): JsonNode {
  const errors: ParseError[] = [];
  // A byte-order mark is invalid JSON. Replacing it with a space keeps every offset.
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

/** Layout of a text: its indentation and its line ending. */
export interface Layout {
  readonly unit: string;
  readonly newline: string;
}

export function layoutOf(text: string): Layout {
  return { unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ', newline: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** Formats a value as JSON, indented like the text around it. */
export function written(value: unknown, depth: number, { unit, newline }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', newline + unit.repeat(depth));
}

/** Returns an edit that adds pieces at the end of an object or array. */
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

/**
 * Returns edits that remove parts of an object or array together with their commas. `parts` are the positions of all
 * its parts.
 */
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

/** Maximum nesting depth, more than any settings file needs. The parser recurses once per level. */
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

/** Error messages by parser code. Other errors are shown by the parser's own code. */
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
