import { LoopError } from '../contract/errors.js';
import type { Json } from '../contract/json.js';
import type { JsonSchema } from '../contract/json-schema.js';
import { isObject } from '../lib/is-object.js';
import { showValue } from '../lib/text.js';

const MAX_DEPTH = 20;

/**
 * Reads the schema of a skill: the part of JSON Schema that `JsonSchema` describes. Objects are closed, and all else that
 * is unknown is rejected, so that no constraint is ignored.
 * @throws LoopError `invalid-input` naming the place.
 */
export function readSchema(value: unknown, at: string, depth = 0): JsonSchema {
  if (!isObject(value)) throw problem(at, `is ${showValue(value)}, not a schema`);
  if (depth > MAX_DEPTH) throw problem(at, `is nested more than ${MAX_DEPTH} times`);
  const { type } = value;
  const known = typeof type === 'string' && Object.hasOwn(KEYWORDS, type) ? KEYWORDS[type] : undefined;
  if (!known) throw problem(at, `has type ${showValue(type)}: use one of ${Object.keys(KEYWORDS).join(', ')}`);
  for (const [keyword, member] of Object.entries(value)) {
    if (keyword === 'type') continue;
    const check = Object.hasOwn(known, keyword) ? known[keyword] : undefined;
    if (!check) throw problem(at, `has the unknown keyword ${showValue(keyword)}`);
    check(member, `${at}.${keyword}`, depth);
  }
  const missing = (REQUIRED[String(type)] ?? []).find((keyword) => !Object.hasOwn(value, keyword));
  if (missing !== undefined) throw problem(at, `has no ${missing}`);
  return value as unknown as JsonSchema; // checked keyword by keyword
}

type Check = (value: unknown, at: string, depth: number) => void;

const size: Check = (value, at) => {
  if (!Number.isInteger(value) || Number(value) < 0) throw problem(at, `is ${showValue(value)}, not a whole number`);
};
const number: Check = (value, at) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw problem(at, `is ${showValue(value)}, not a number`);
};
const texts: Check = (value, at) => {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw problem(at, 'is not a list of texts');
};
const bounds = { minimum: number, maximum: number };

const description: Check = (value, at) => {
  if (typeof value !== 'string') throw problem(at, `is ${showValue(value)}, not a text`);
};

const KEYWORDS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  object: {
    description,
    properties: (value, at, depth) => {
      if (!isObject(value)) throw problem(at, 'is not an object');
      for (const [name, member] of Object.entries(value)) readSchema(member, `${at}.${name}`, depth + 1);
    },
    required: texts,
    additionalProperties: (value, at) => {
      if (value !== false) throw problem(at, 'is not false: objects are closed');
    },
  },
  array: {
    description,
    items: (value, at, depth) => void readSchema(value, at, depth + 1),
    minItems: size,
    maxItems: size,
  },
  string: { description, enum: texts, minLength: size, maxLength: size },
  number: { description, ...bounds },
  integer: { description, ...bounds },
  boolean: { description },
};
const REQUIRED: Readonly<Record<string, readonly string[]>> = { object: ['properties', 'required'], array: ['items'] };

function problem(at: string, what: string): LoopError {
  return new LoopError('invalid-input', `${at} ${what}`);
}

/**
 * Returns the narrowest schema that all values match, without bounds; `undefined` if there is none, for example because
 * a value is null or they have different types.
 */
export function schemaOf(values: readonly Json[]): JsonSchema | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  if (values.every((one) => typeof one === 'string')) return { type: 'string' };
  if (values.every((one) => typeof one === 'number')) return { type: 'number' };
  if (values.every((one) => typeof one === 'boolean')) return { type: 'boolean' };
  if (values.every((one): one is readonly Json[] => Array.isArray(one))) {
    const items = schemaOf(values.flat());
    return items && { type: 'array', items };
  }
  if (values.every((one) => isObject(one)))
    return schemaOfObjects(values as readonly { readonly [name: string]: Json }[]);
  return undefined;
}

function schemaOfObjects(values: readonly { readonly [name: string]: Json }[]): JsonSchema | undefined {
  const names = [...new Set(values.flatMap((one) => Object.keys(one)))];
  const properties = names.map((name) => {
    const present = values.flatMap((one) => (Object.hasOwn(one, name) ? [one[name] as Json] : []));
    return [name, schemaOf(present)] as const;
  });
  if (properties.some(([, schema]) => schema === undefined)) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as { readonly [name: string]: JsonSchema }, // checked above
    required: names.filter((name) => values.every((one) => Object.hasOwn(one, name))),
    additionalProperties: false,
  };
}
