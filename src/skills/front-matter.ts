import { LoopError } from '../contract/errors.js';

/** Parts of a `SKILL.md`. */
export interface FrontMatter {
  readonly name: string;
  readonly description: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Other fields, as they are, with their line breaks. */
  readonly otherFields: string;
  readonly body: string;
}

const FENCE = '---';
const FIELD = /^([A-Za-z][\w-]*):(?: +(.*))?$/;
const READ = ['name', 'description', 'metadata'];

/**
 * Reads the front matter of a `SKILL.md`: the part of YAML that the Agent Skills standard uses. Anchors, aliases, tags,
 * tabs and fields given twice are rejected.
 * @throws LoopError `invalid-input` naming the line.
 */
export function readFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== FENCE) throw problem(1, 'does not begin with ---');
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === FENCE);
  if (end < 0) throw problem(1, 'has no second --- that ends the front matter');
  const fields = blocksOf(lines.slice(1, end), 2);
  const required = (name: string) => {
    const block = fields.get(name);
    if (!block) throw problem(1, `has no field ${name}`);
    return scalarOf(block);
  };
  const others = [...fields].filter(([name]) => !READ.includes(name)).flatMap(([, { lines: raw }]) => raw);
  return {
    name: required('name'),
    description: required('description'),
    metadata: metadataOf(fields.get('metadata')),
    otherFields: others.map((line) => `${line}\n`).join(''),
    body: lines
      .slice(end + 1)
      .join('\n')
      .replace(/^\n+/, ''),
  };
}

/** Returns the text of a `SKILL.md`. */
export function writeFrontMatter({ name, description, metadata, otherFields, body }: FrontMatter): string {
  const own = Object.entries(metadata).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}\n`);
  const head = `name: ${name}\ndescription: ${JSON.stringify(description)}\n${otherFields}`;
  return `${FENCE}\n${head}${own.length > 0 ? `metadata:\n${own.join('')}` : ''}${FENCE}\n\n${body}`;
}

/** Lines of one field: its first line, and the indented ones after it. */
interface Block {
  readonly at: number;
  /** Text after the colon. */
  readonly first: string;
  readonly rest: readonly string[];
  readonly lines: readonly string[];
}

/** Splits lines without indentation into fields. `from` is the number of the first line in the file. */
function blocksOf(lines: readonly string[], from: number): ReadonlyMap<string, Block> {
  const found = new Map<string, Block>();
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || line.startsWith('#')) {
      at++;
      continue;
    }
    const [, name, first = ''] = FIELD.exec(line) ?? [];
    if (name === undefined) throw problem(from + at, 'is not a field: write "name: value"');
    if (found.has(name)) throw problem(from + at, `gives ${name} twice`);
    const next = lines.findIndex((one, index) => index > at && one.trim() !== '' && !/^\s/.test(one));
    const until = next < 0 ? lines.length : next;
    const block = lines.slice(at, until);
    const tab = block.findIndex((one) => /^ *\t/.test(one));
    if (tab >= 0) throw problem(from + at + tab, 'is indented by a tab: use spaces');
    found.set(name, { at: from + at, first: first.trim(), rest: block.slice(1), lines: block });
    at = until;
  }
  return found;
}

function metadataOf(block: Block | undefined): Readonly<Record<string, string>> {
  if (!block) return {};
  if (block.first !== '' && !block.first.startsWith('#')) throw problem(block.at, 'gives metadata that are not a map');
  const indent = /^ */.exec(block.rest.find((line) => line.trim() !== '') ?? '')?.[0].length ?? 0;
  const inner = block.rest.map((line) => (line.trim() === '' ? '' : line.slice(0, indent).trim() + line.slice(indent)));
  const fields = [...blocksOf(inner, block.at + 1)];
  return Object.fromEntries(fields.map(([name, field]) => [name, scalarOf(field)]));
}

/** Returns the text of a field: plain, quoted, or a block after `|` or `>`. */
function scalarOf({ at, first, rest }: Block): string {
  const style = /^([|>])[+-]?(?: +#.*)?$/.exec(first)?.[1];
  if (style !== undefined) return blockScalar(style, rest);
  const text = [first, ...rest.map((line) => line.trim())].filter((line) => line !== '').join(' ');
  if (text.startsWith('"')) return doubleQuoted(text, at);
  if (text.startsWith("'")) return singleQuoted(text, at);
  if (/^[&*!%@`[\]{}|>]/.test(text)) throw problem(at, `begins with ${text[0]}: put the text in quotes`);
  const comment = text.search(/\s#/);
  return text.startsWith('#') ? '' : (comment < 0 ? text : text.slice(0, comment)).trim();
}

function blockScalar(style: string, rest: readonly string[]): string {
  const indent = /^ */.exec(rest.find((line) => line.trim() !== '') ?? '')?.[0].length ?? 0;
  const lines = rest.map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length)));
  return (style === '|' ? lines.join('\n') : lines.join(' ')).trim();
}

function doubleQuoted(text: string, at: number): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return value;
  } catch {
    // Reported below.
  }
  throw problem(at, 'has a text in double quotes that does not end, or an escape that JSON does not know');
}

function singleQuoted(text: string, at: number): string {
  const inside = text.slice(1, -1);
  if (text.length < 2 || !text.endsWith("'") || inside.replaceAll("''", '').includes("'"))
    throw problem(at, 'has a text in single quotes that does not end');
  return inside.replaceAll("''", "'");
}

function problem(line: number, what: string): LoopError {
  return new LoopError('invalid-input', `line ${line} of SKILL.md ${what}`);
}
