import type { Json } from 'rsi-loop';
import { isObject, type Random } from 'rsi-loop/kit';
import { checkValue, type ValueSchema } from './value-schema.js';

/**
 * Returns inputs near the given ones that match a schema: each is a copy of one in which a part has the value of another
 * one, or a text, number or list is a little different. The same random numbers give the same inputs.
 */
export function propertyInputs(
  schema: ValueSchema,
  examples: readonly Json[],
  { count, random }: { readonly count: number; readonly random: Random },
): readonly Json[] {
  const known = new Set(examples.map((one) => JSON.stringify(one)));
  const found = new Map<string, Json>();
  for (let attempt = 0; attempt < 20 * count && found.size < count; attempt++) {
    const [example, other] = [pick(examples, random), pick(examples, random)];
    if (example === undefined || other === undefined) break;
    const input = near(example, other, random);
    const key = JSON.stringify(input);
    if (!known.has(key) && checkValue(input, schema) === undefined) found.set(key, input);
  }
  return [...found.values()];
}

/** Returns a copy of a value in which one part, chosen at random, is different. */
function near(value: Json, other: Json, random: Random): Json {
  if (Array.isArray(value)) return nearList(value, Array.isArray(other) ? other : [], random);
  if (isObject(value)) return nearObject(value as Members, isObject(other) ? (other as Members) : {}, random);
  if (typeof value === typeof other && value !== other && random() < 0.3) return other;
  if (typeof value === 'string') return twisted(value, random);
  return typeof value === 'number' ? nearNumber(value, random) : value;
}

type Members = { readonly [name: string]: Json };

function nearObject(value: Members, other: Members, random: Random): Json {
  const name = pick(Object.keys(value), random);
  const member = name === undefined ? undefined : value[name];
  if (name === undefined || member === undefined) return value;
  return { ...value, [name]: near(member, other[name] ?? null, random) };
}

function nearList(value: readonly Json[], other: readonly Json[], random: Random): Json {
  const at = Math.floor(random() * value.length);
  const member = value[at];
  if (member === undefined) return other;
  const choice = random();
  if (choice < 0.2) return value.filter((_, index) => index !== at);
  if (choice < 0.4) return [...value.slice(0, at), member, ...value.slice(at)];
  return value.map((one, index) => (index === at ? near(one, pick(other, random) ?? null, random) : one));
}

/** Whole numbers stay whole, and no number changes its sign. */
function nearNumber(value: number, random: Random): number {
  if (Number.isInteger(value)) return value + Math.floor(random() * 5) * (value < 0 ? -1 : 1);
  return value * (0.5 + random());
}

/** Returns a text cut or doubled at the end of a line or word. */
function twisted(text: string, random: Random): string {
  const parts = text.split(/(?<=[\s,;])/);
  const at = Math.floor(random() * parts.length);
  const changed = [
    parts.slice(0, at),
    parts.slice(at),
    [...parts.slice(0, at + 1), ...parts.slice(at)],
    [...parts].reverse(),
  ];
  return (pick(changed, random) ?? parts).join('');
}

function pick<Member>(members: readonly Member[], random: Random): Member | undefined {
  return members[Math.floor(random() * members.length)];
}
