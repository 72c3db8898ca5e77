import type { Json } from '../contract/json.js';
import type { JsonSchema } from '../contract/json-schema.js';

/** Returns the first violation of the schema and its location; undefined if the value is valid. */
export function checkJson(value: unknown, schema: JsonSchema, at = 'the answer'): string | undefined {
  switch (schema.type) {
    case 'object':
      return checkObject(value, schema, at);
    case 'array': {
      if (!Array.isArray(value)) return `${at} is ${kindOf(value)}, not a list`;
      const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
      if (value.length < minItems) return `${at} has ${value.length} members, fewer than ${minItems}`;
      if (value.length > maxItems) return `${at} has ${value.length} members, more than ${maxItems}`;
      return first(value, (member, index) => checkJson(member, items, `${at}[${index}]`));
    }
    case 'string': {
      if (typeof value !== 'string') return `${at} is ${kindOf(value)}, not a text`;
      const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
      if (schema.enum && !schema.enum.includes(value)) return `${at} is none of ${schema.enum.join(', ')}`;
      if (value.length < minLength) return `${at} has ${value.length} characters, fewer than ${minLength}`;
      return value.length > maxLength ? `${at} has ${value.length} characters, more than ${maxLength}` : undefined;
    }
    case 'number':
    case 'integer': {
      if (typeof value !== 'number' || !Number.isFinite(value)) return `${at} is ${kindOf(value)}, not a number`;
      if (schema.type === 'integer' && !Number.isInteger(value)) return `${at} is ${value}, not a whole number`;
      const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
      if (value < minimum) return `${at} is ${value}, below ${minimum}`;
      return value > maximum ? `${at} is ${value}, above ${maximum}` : undefined;
    }
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

function checkObject(value: unknown, schema: JsonSchema & { type: 'object' }, at: string): string | undefined {
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
