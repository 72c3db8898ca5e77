import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';
import { type Json, type JsonObject, LoopError } from 'rsi-loop';
import { isObject, messageOf } from 'rsi-loop/kit';

/** Parts of a `SKILL.md`. */
export interface FrontMatter {
  readonly name: string;
  readonly description: string;
  /** Values as YAML has them, also nested. */
  readonly metadata: JsonObject;
  /** All other fields. */
  readonly fields: JsonObject;
  readonly body: string;
}

const FENCE = /^---[^\S\n]*$/;
/** Longest front matter, in characters. Reading so much takes milliseconds for every content. */
const MAX_HEAD = 32_768;
const MAX_DEPTH = 20;

/**
 * Reads a `SKILL.md`: YAML between two lines of `---`, then Markdown. Tags that create other than JSON, aliases, and
 * fields given twice are rejected.
 * @throws LoopError `invalid-input` naming the line.
 */
export function readFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  if (!FENCE.test(lines[0] ?? '')) throw problem('line 1 of SKILL.md does not begin with ---');
  const end = lines.findIndex((line, at) => at > 0 && FENCE.test(line));
  if (end < 0) throw problem('line 1 of SKILL.md has no second --- that ends the front matter');
  const { name, description, metadata = {}, ...fields } = fieldsOf(lines.slice(1, end).join('\n'));
  if (!isObject(metadata)) throw problem('SKILL.md gives metadata that are not a map');
  return {
    name: fieldText(name, 'name'),
    description: fieldText(description, 'description'),
    metadata,
    fields,
    body: lines
      .slice(end + 1)
      .join('\n')
      .replace(/^\n+/, ''),
  };
}

/** Returns the text of a new `SKILL.md`. */
export function writeFrontMatter({
  name,
  description,
  metadata,
  body,
}: Omit<FrontMatter, 'metadata' | 'fields'> & { readonly metadata: Readonly<Record<string, string>> }): string {
  const own = Object.entries(metadata).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}\n`);
  const head = `name: ${name}\ndescription: ${JSON.stringify(description)}\n`;
  return `---\n${head}${own.length > 0 ? `metadata:\n${own.join('')}` : ''}---\n\n${body}`;
}

function fieldsOf(head: string): { readonly [name: string]: Json } {
  if (head.length > MAX_HEAD)
    throw problem(`the front matter has ${head.length} characters: give at most ${MAX_HEAD}, and the rest in the body`);
  let value: unknown;
  try {
    value = load(head, { schema: CORE_SCHEMA, maxDepth: MAX_DEPTH, maxAliases: 0 });
  } catch (error) {
    const { reason, mark } = error instanceof YAMLException ? error : { reason: messageOf(error), mark: undefined };
    const at = mark ? `line ${mark.line + 2} of SKILL.md` : 'SKILL.md';
    throw problem(`${at} is not YAML (${reason}): put texts with a colon in quotes`);
  }
  if (!isObject(value)) throw problem('SKILL.md has a front matter that is not a map: write "name: value"');
  return plain(value) as { readonly [name: string]: Json }; // a map stays one
}

/** Returns a value of YAML as JSON: numbers that JSON does not have become texts. */
function plain(value: unknown): Json {
  if (Array.isArray(value)) return value.map(plain);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** Names such as `2048` are numbers in YAML. */
function fieldText(value: Json | undefined, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw problem(`SKILL.md has no field ${name}`);
}

function problem(what: string): LoopError {
  return new LoopError('invalid-input', what);
}
