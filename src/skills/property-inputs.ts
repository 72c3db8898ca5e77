import type { Json } from '../contract/json.js';
import type { JsonSchema } from '../contract/json-schema.js';
import { isObject } from '../lib/is-object.js';
import { checkJson } from '../lib/json-schema.js';
import type { Random } from '../lib/random.js';

const MAX_LIST = 5;
const EDGE_TEXTS = ['', ' ', 'ä', '日本', '"', '\n', '0', 'a,b;c', '\u0000', 'x'.repeat(300)] as const;
const EDGE_NUMBERS = [0, -1, 1, 0.1, 1e9, -1e9, 1e-9] as const;

/**
 * Returns inputs that match a schema: edge cases, random values, and the inputs of tests with one part replaced. The
 * same random numbers give the same inputs.
 */
export function propertyInputs(
  schema: JsonSchema,
  examples: readonly Json[],
  { count, random }: { readonly count: number; readonly random: Random },
): readonly Json[] {
  const found = new Map<string, Json>();
  for (let attempt = 0; attempt < 20 * count && found.size < count; attempt++) {
    const example = examples[Math.floor(random() * examples.length)];
    const input =
      attempt % 2 === 1 && example !== undefined ? changed(example, schema, random) : randomValue(schema, random);
    if (checkJson(input, schema) === undefined) found.set(JSON.stringify(input), input);
  }
  return [...found.values()];
}

function randomValue(schema: JsonSchema, random: Random): Json {
  switch (schema.type) {
    case 'object': {
      const names = Object.keys(schema.properties).filter((name) => schema.required.includes(name) || random() < 0.5);
      return Object.fromEntries(
        names.map((name) => [name, randomValue(schema.properties[name] ?? { type: 'boolean' }, random)]),
      );
    }
    case 'array': {
      const { minItems = 0, maxItems = minItems + MAX_LIST } = schema;
      const length = minItems + Math.floor(random() * (Math.min(maxItems, minItems + MAX_LIST) - minItems + 1));
      return Array.from({ length }, () => randomValue(schema.items, random));
    }
    case 'string':
      return textOf(schema, random);
    case 'number':
    case 'integer':
      return numberOf(schema, random);
    case 'boolean':
      return random() < 0.5;
    default:
      return schema satisfies never;
  }
}

function textOf(schema: Extract<JsonSchema, { readonly type: 'string' }>, random: Random): string {
  const { enum: allowed, minLength = 0, maxLength = 1_000 } = schema;
  if (allowed) return pick(allowed, random) ?? '';
  const text = random() < 0.5 ? (pick(EDGE_TEXTS, random) ?? '') : wordsOf(random);
  return text.padEnd(minLength, 'x').slice(0, maxLength);
}

function wordsOf(random: Random): string {
  const letters = 'abc 123,.-;:\n';
  return Array.from({ length: 1 + Math.floor(random() * 20) }, () => pick([...letters], random)).join('');
}

function numberOf(schema: Extract<JsonSchema, { readonly type: 'number' | 'integer' }>, random: Random): number {
  const { type, minimum = -1e9, maximum = 1e9 } = schema;
  const value = random() < 0.5 ? (pick(EDGE_NUMBERS, random) ?? 0) : minimum + random() * (maximum - minimum);
  const within = Math.min(maximum, Math.max(minimum, value));
  return type === 'integer' ? Math.round(within) : within;
}

/** Returns a copy of an example in which one part, chosen at random, has another value. */
function changed(value: Json, schema: JsonSchema, random: Random): Json {
  if (schema.type === 'object' && isObject(value)) {
    const name = pick(Object.keys(value), random);
    const property = name === undefined ? undefined : schema.properties[name];
    if (name === undefined || !property) return value;
    return {
      ...value,
      [name]: changed((value as { readonly [name: string]: Json })[name] ?? null, property, random),
    } as Json;
  }
  if (schema.type === 'array' && Array.isArray(value) && value.length > 0 && random() < 0.7) {
    const at = Math.floor(random() * value.length);
    return value.map((member, index) =>
      index === at ? changed(member as Json, schema.items, random) : member,
    ) as Json;
  }
  if (typeof value === 'string' && schema.type === 'string' && !schema.enum && random() < 0.7)
    return twisted(value, random);
  return randomValue(schema, random);
}

/** Returns a text cut, doubled or shifted at a random place. */
function twisted(text: string, random: Random): string {
  const at = Math.floor(random() * (text.length + 1));
  return (
    pick([text.slice(0, at), text.slice(at), text + text, `${text.slice(0, at)} ${text.slice(at)}`], random) ?? text
  );
}

function pick<Member>(members: readonly Member[], random: Random): Member | undefined {
  return members[Math.floor(random() * members.length)];
}
