import type { Json } from '../contract/json.js';
import type { JsonSchema } from '../contract/json-schema.js';

/** Returns the first violation of the schema and its location; undefined if the value is valid. */
export function checkJson(value: unknown, schema: JsonSchema, at = 'the answer'): string | undefined {
  switch (schema.type) {
    case 'object':
      return checkObject(value, schema, at);
    case 'array':
      return checkArray(value, schema, at);
    case 'string':
      return checkString(value, schema, at);
    case 'number':
    case 'integer':
      return checkNumber(value, schema, at);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `${at} is ${kindOf(value)}, neither true nor false`;
    default:
      return schema satisfies never;
  }
}

/** Parses JSON from a text, also inside a Markdown fence or after the model's reasoning; undefined if there is none. */
export function readJson(text: string): Json | undefined {
  const said = text.replace(THINKING, '').trim();
  try {
    return JSON.parse(FENCED.exec(said)?.[1] ?? said) as Json; // the result of JSON.parse is JSON
  } catch {
    return undefined;
  }
}

const THINKING = /^\s*<think>[\s\S]*?<\/think>/;
const FENCED = /^```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```$/;

type SchemaOf<Type> = Extract<JsonSchema, { readonly type: Type }>;

function checkArray(
  value: unknown,
  { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: SchemaOf<'array'>,
  at: string,
): string | undefined {
  if (!Array.isArray(value)) return `${at} is ${kindOf(value)}, not a list`;
  if (value.length < minItems) return `${at} has ${value.length} members, fewer than ${minItems}`;
  if (value.length > maxItems) return `${at} has ${value.length} members, more than ${maxItems}`;
  return first(value, (member, index) => checkJson(member, items, `${at}[${index}]`));
}

function checkString(
  value: unknown,
  { enum: allowed, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: SchemaOf<'string'>,
  at: string,
): string | undefined {
  if (typeof value !== 'string') return `${at} is ${kindOf(value)}, not a text`;
  if (allowed && !allowed.includes(value)) return `${at} is none of ${allowed.join(', ')}`;
  if (value.length < minLength) return `${at} has ${value.length} characters, fewer than ${minLength}`;
  return value.length > maxLength ? `${at} has ${value.length} characters, more than ${maxLength}` : undefined;
}

function checkNumber(
  value: unknown,
  { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: SchemaOf<'number' | 'integer'>,
  at: string,
): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return `${at} is ${kindOf(value)}, not a number`;
  if (type === 'integer' && !Number.isInteger(value)) return `${at} is ${value}, not a whole number`;
  if (value < minimum) return `${at} is ${value}, below ${minimum}`;
  return value > maximum ? `${at} is ${value}, above ${maximum}` : undefined;
}

function checkObject(value: unknown, schema: SchemaOf<'object'>, at: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `${at} is ${kindOf(value)}, not an object`;
  }
  const missing = schema.required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${at} lacks ${missing}`;
  return first(Object.entries(value), ([name, member]) => {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (!property) return `${at} has a member ${JSON.stringify(name.slice(0, 40))} that was not asked for`;
    return checkJson(member, property, `${at}.${name}`);
  });
}

function first<Member>(
  members: readonly Member[],
  check: (member: Member, index: number) => string | undefined,
): string | undefined {
  for (const [index, member] of members.entries()) {
    const problem = check(member, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value;
}
