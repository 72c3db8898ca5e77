import { LoopError } from 'rsi-loop';
import { isObject, showValue } from 'rsi-loop/kit';
import type { ValueSchema } from './value-schema.js';

const MAX_DEPTH = 20;
const MAX_ALTERNATIVES = 20;

/**
 * Reads the schema of a skill: the part of JSON Schema that `ValueSchema` describes. All else is rejected, so that no
 * constraint is ignored.
 * @throws LoopError `invalid-input` naming the place.
 */
export function readSchema(value: unknown, at: string, depth = 0): ValueSchema {
  if (!isObject(value)) throw problem(at, `is ${showValue(value)}, not a schema`);
  if (depth > MAX_DEPTH) throw problem(at, `is nested more than ${MAX_DEPTH} times`);
  if ('anyOf' in value) return alternatives(value, at, depth);
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
  return value as unknown as ValueSchema; // checked keyword by keyword
}

function alternatives(value: Readonly<Record<string, unknown>>, at: string, depth: number): ValueSchema {
  const { anyOf, description: said, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw problem(at, `has the keyword ${showValue(unknown)} beside anyOf`);
  if (said !== undefined) description(said, `${at}.description`, depth);
  if (!Array.isArray(anyOf) || anyOf.length === 0 || anyOf.length > MAX_ALTERNATIVES)
    throw problem(`${at}.anyOf`, `is not a list of 1 to ${MAX_ALTERNATIVES} schemas`);
  for (const [index, one] of anyOf.entries()) readSchema(one, `${at}.anyOf[${index}]`, depth + 1);
  return value as unknown as ValueSchema; // checked one by one
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
    additionalProperties: (value, at, depth) => {
      if (value !== false) readSchema(value, at, depth + 1);
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
  null: { description },
};
const REQUIRED: Readonly<Record<string, readonly string[]>> = { object: ['properties', 'required'], array: ['items'] };

function problem(at: string, what: string): LoopError {
  return new LoopError('invalid-input', `${at} ${what}`);
}
