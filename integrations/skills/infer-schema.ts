import type { Json } from 'rsi-loop';
import { isObject } from 'rsi-loop/kit';
import type { ValueSchema } from './value-schema.js';

/** Different names of members from which on an object may be a map. */
const LEAST_NAMES = 4;

/** Object of JSON. */
type Members = { readonly [name: string]: Json };

/**
 * Returns a narrow schema that all values match, without bounds; `undefined` without values. Objects whose names hardly
 * repeat are maps. Values of several types have alternatives.
 */
export function schemaOf(values: readonly Json[]): ValueSchema | undefined {
  const kinds = new Map<string, Json[]>();
  for (const value of values) {
    const kind = kindOf(value);
    kinds.set(kind, [...(kinds.get(kind) ?? []), value]);
  }
  const found = [...kinds].flatMap(([kind, members]) => schemaOfKind(kind, members) ?? []);
  const [first, ...others] = found;
  return others.length === 0 ? first : { anyOf: found };
}

function schemaOfKind(kind: string, values: readonly Json[]): ValueSchema | undefined {
  switch (kind) {
    case 'array':
      return { type: 'array', items: schemaOf((values as readonly (readonly Json[])[]).flat()) ?? ANY };
    case 'object':
      return schemaOfObjects(values as readonly Members[]);
    default:
      return { type: kind as 'string' | 'number' | 'boolean' | 'null' }; // all other kinds
  }
}

/** Members of lists that were always empty. */
const ANY: ValueSchema = {
  anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }],
};

function schemaOfObjects(values: readonly Members[]): ValueSchema | undefined {
  const names = [...new Set(values.flatMap((one) => Object.keys(one)))];
  if (isMap(names, values)) {
    const members = schemaOf(values.flatMap((one) => Object.values(one)));
    return { type: 'object', properties: {}, required: [], additionalProperties: members ?? ANY };
  }
  const properties = names.map((name) => {
    const present = values.flatMap((one) => (Object.hasOwn(one, name) ? [one[name] as Json] : []));
    return [name, schemaOf(present) ?? ANY] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: names.filter((name) => values.every((one) => Object.hasOwn(one, name))),
    additionalProperties: false,
  };
}

/** Returns whether names are data: there are several, all values are of one type, and most names are in few objects. */
function isMap(names: readonly string[], values: readonly Members[]): boolean {
  if (names.length < LEAST_NAMES || values.length < 2) return false;
  const uses = values.reduce((sum, one) => sum + Object.keys(one).length, 0);
  const kinds = new Set(values.flatMap((one) => Object.values(one).map(kindOf)));
  return kinds.size === 1 && uses / (names.length * values.length) < 0.5;
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isObject(value) ? 'object' : typeof value;
}
