import type { JsonSchema } from 'rsi-loop';
import { isObject, schemas } from 'rsi-loop/kit';

/**
 * Schema of an input or output of a skill: `JsonSchema`, and besides that null, alternatives, and maps, which are objects
 * whose names differ from value to value.
 */
export type ValueSchema =
  | Exclude<JsonSchema, { readonly type: 'object' | 'array' }>
  | {
      readonly type: 'object';
      readonly description?: string;
      readonly properties: { readonly [name: string]: ValueSchema };
      readonly required: readonly string[];
      /** Schema of the values of all other names; `false` if there are none. */
      readonly additionalProperties: false | ValueSchema;
    }
  | {
      readonly type: 'array';
      readonly description?: string;
      readonly items: ValueSchema;
      readonly minItems?: number;
      readonly maxItems?: number;
    }
  | { readonly type: 'null'; readonly description?: string }
  | { readonly anyOf: readonly ValueSchema[]; readonly description?: string };

/** Returns the first violation of a schema and its place; `undefined` if the value is valid. */
export function checkValue(value: unknown, schema: ValueSchema, at = 'the answer'): string | undefined {
  if ('anyOf' in schema) {
    const problems = schema.anyOf.map((one) => checkValue(value, one, at));
    return problems.includes(undefined) ? undefined : (problems[0] ?? `${at} has no valid schema`);
  }
  switch (schema.type) {
    case 'null':
      return value === null ? undefined : `${at} is not null`;
    case 'object':
      return checkMembers(value, schema, at);
    case 'array':
      return checkItems(value, schema, at);
    default:
      return schemas.checkJson(value, schema, at);
  }
}

type SchemaOf<Type> = Extract<ValueSchema, { readonly type: Type }>;

function checkMembers(value: unknown, schema: SchemaOf<'object'>, at: string): string | undefined {
  if (!isObject(value)) return schemas.checkJson(value, { ...EMPTY, required: [] }, at);
  const missing = schema.required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${at} lacks ${missing}`;
  for (const [name, member] of Object.entries(value)) {
    const own = Object.hasOwn(schema.properties, name) ? schema.properties[name] : schema.additionalProperties;
    if (!own) return `${at} has a member ${JSON.stringify(name.slice(0, 40))} that was not asked for`;
    const problem = checkValue(member, own, `${at}.${name.slice(0, 40)}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const EMPTY = { type: 'object', properties: {}, additionalProperties: false } as const;

function checkItems(value: unknown, { items, minItems, maxItems }: SchemaOf<'array'>, at: string): string | undefined {
  const sizes = { ...(minItems !== undefined && { minItems }), ...(maxItems !== undefined && { maxItems }) };
  const size = schemas.checkJson(Array.isArray(value) ? value.map(() => true) : value, { ...LIST, ...sizes }, at);
  if (size !== undefined || !Array.isArray(value)) return size;
  for (const [index, member] of value.entries()) {
    const problem = checkValue(member, items, `${at}[${index}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const LIST = { type: 'array', items: { type: 'boolean' } } as const;
