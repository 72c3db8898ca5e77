import { LoopError } from 'rsi-loop';
import { canonical, messageOf, showValue } from 'rsi-loop/kit';

/** Test of whether a JSON value is valid. */
export type JsonTest = (value: unknown) => boolean;

type Row = Readonly<Record<string, unknown>>;

/** Keywords that describe and do not validate. */
const NOTES: ReadonlySet<string> = new Set(
  '$schema $id $comment title description default examples deprecated readOnly writeOnly'.split(' '),
);

const TYPES: Readonly<Record<string, JsonTest>> = {
  object: isRow,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

/** Builds the test of a keyword from its argument and the schema that it is in. */
type Keyword = (argument: unknown, schema: Row, at: string) => JsonTest;

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: (names, _, at) => {
    const tests = [names].flat().map((name) => {
      const test = typeof name === 'string' && Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
      return test ?? refuse(at, `unknown type ${showValue(name)}`, `use ${Object.keys(TYPES).join(', ')}`);
    });
    return (value) => tests.some((test) => test(value));
  },
  const: (wanted) => (value) => canonical([value]) === canonical([wanted]),
  enum: (wanted, _, at) => {
    const texts = new Set(list(wanted, at).map((one) => canonical([one])));
    return (value) => texts.has(canonical([value]));
  },
  properties: (schemas, _, at) => {
    const tests = Object.entries(row(schemas, at)).map(([name, schema]) => [name, jsonTest(schema, at)] as const);
    return (value) => !isRow(value) || tests.every(([name, test]) => !Object.hasOwn(value, name) || test(value[name]));
  },
  required: (names, _, at) => {
    const wanted = list(names, at).map(String);
    return (value) => !isRow(value) || wanted.every((name) => Object.hasOwn(value, name));
  },
  additionalProperties: (schema, { properties }, at) => {
    const known = new Set(isRow(properties) ? Object.keys(properties) : []);
    const test = jsonTest(schema, at);
    return (value) => !isRow(value) || Object.entries(value).every(([name, member]) => known.has(name) || test(member));
  },
  items: (schema, _, at) => {
    const test = jsonTest(schema, at);
    return (value) => !Array.isArray(value) || value.every((member) => test(member));
  },
  uniqueItems: (wanted) => (value) =>
    wanted !== true || !Array.isArray(value) || new Set(value.map((one) => canonical([one]))).size === value.length,
  pattern: (text, _, at) => {
    const expression = expressionOf(text, at);
    return (value) => typeof value !== 'string' || expression.test(value);
  },
  minLength: limit((value) => (typeof value === 'string' ? [...value].length : undefined), atLeast),
  maxLength: limit((value) => (typeof value === 'string' ? [...value].length : undefined), atMost),
  minItems: limit((value) => (Array.isArray(value) ? value.length : undefined), atLeast),
  maxItems: limit((value) => (Array.isArray(value) ? value.length : undefined), atMost),
  minimum: limit(numberOf, atLeast),
  maximum: limit(numberOf, atMost),
  exclusiveMinimum: limit(numberOf, (size, bound) => size > bound),
  exclusiveMaximum: limit(numberOf, (size, bound) => size < bound),
  allOf: (schemas, _, at) => {
    const tests = list(schemas, at).map((schema) => jsonTest(schema, at));
    return (value) => tests.every((test) => test(value));
  },
  anyOf: (schemas, _, at) => {
    const tests = list(schemas, at).map((schema) => jsonTest(schema, at));
    return (value) => tests.some((test) => test(value));
  },
  oneOf: (schemas, _, at) => {
    const tests = list(schemas, at).map((schema) => jsonTest(schema, at));
    return (value) => tests.filter((test) => test(value)).length === 1;
  },
  not: (schema, _, at) => {
    const test = jsonTest(schema, at);
    return (value) => !test(value);
  },
};

/**
 * Returns the test of a JSON Schema: types, members, items, lengths, bounds, `enum`, `const`, `pattern`, `anyOf`, `allOf`,
 * `oneOf` and `not`. Objects may have other members unless `additionalProperties` is false.
 * @throws LoopError `invalid-input` naming a keyword that would not be checked, such as `$ref`.
 */
export function jsonTest(schema: unknown, at = 'the schema'): JsonTest {
  if (typeof schema === 'boolean') return () => schema;
  const members = row(schema, at);
  const tests = Object.keys(members)
    .filter((name) => !NOTES.has(name))
    .map((name) => {
      const keyword = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
      if (!keyword) return refuse(at, `the unknown keyword ${name}`, `known are ${Object.keys(KEYWORDS).join(', ')}`);
      return keyword(members[name], members, `${at}.${name}`);
    });
  return (value) => tests.every((test) => test(value));
}

function limit(sizeOf: (value: unknown) => number | undefined, holds: (size: number, bound: number) => boolean) {
  return (bound: unknown, _: Row, at: string): JsonTest => {
    if (typeof bound !== 'number') return refuse(at, `no number: ${showValue(bound)}`, 'give a number');
    return (value) => {
      const size = sizeOf(value);
      return size === undefined || holds(size, bound);
    };
  };
}

function atLeast(size: number, bound: number): boolean {
  return size >= bound;
}

function atMost(size: number, bound: number): boolean {
  return size <= bound;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function row(value: unknown, at: string): Row {
  return isRow(value) ? value : refuse(at, `no object: ${showValue(value)}`, 'give a JSON Schema');
}

function list(value: unknown, at: string): readonly unknown[] {
  return Array.isArray(value) ? value : refuse(at, `no list: ${showValue(value)}`, 'give a list');
}

function expressionOf(text: unknown, at: string): RegExp {
  try {
    return new RegExp(String(text), 'u');
  } catch (cause) {
    return refuse(at, `an invalid expression: ${messageOf(cause)}`, 'mend it');
  }
}

function refuse(at: string, what: string, advice: string): never {
  throw new LoopError('invalid-input', `${at} has ${what}: ${advice}`);
}
