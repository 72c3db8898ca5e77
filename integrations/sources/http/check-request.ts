import { Problem } from '../../http/http-problem.js';
import type { Schema } from './schemas.js';

/** Rules that the schemas of requests use. */
interface Rules {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  readonly anyOf?: readonly Rules[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Rules>>;
  /** Rules of all other fields. */
  readonly additionalProperties?: Rules | boolean;
  readonly items?: Rules;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The schemas use only `\S`: a text that is not blank. */
  readonly pattern?: '\\S';
  readonly enum?: readonly string[];
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

interface Violation {
  /** Names and positions that lead to the value. */
  readonly path: readonly (string | number)[];
  readonly problem: string;
}

/**
 * Checks a part of a request. The schemas of this folder use no rules but those above.
 * @throws Problem 400 naming the field and the rule.
 */
export function checkValue(value: unknown, schema: Schema, place: 'body' | 'address' | 'path'): void {
  const found = violationOf(value, schema as Rules); // as said above
  if (!found) return;
  const field = found.path.join('.');
  const subject = field === '' ? `the ${place}` : field;
  const where = field === '' ? '' : ` (in the ${place})`;
  throw new Problem(400, `${subject} ${found.problem}${where}`, { field: field || `(${place})` });
}

function violationOf(value: unknown, rules: Rules): Violation | undefined {
  if (rules.anyOf) return violationOfAny(value, rules.anyOf);
  if (rules.type !== undefined && !hasType(value, rules.type)) return here(`must be ${NAMES[rules.type]}`);
  if (typeof value === 'string') return violationOfText(value, rules);
  if (typeof value === 'number') return violationOfNumber(value, rules);
  if (Array.isArray(value)) return violationOfList(value, rules);
  return typeof value === 'object' && value !== null ? violationOfObject(value, rules) : undefined;
}

const NAMES = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
} as const;

function hasType(value: unknown, type: keyof typeof NAMES): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

/** Returns the violation of the form that has the type of the value: it helps more than "none of these". */
function violationOfAny(value: unknown, forms: readonly Rules[]): Violation | undefined {
  const form = forms.find(({ type }) => type === undefined || hasType(value, type));
  if (form) return violationOf(value, form);
  return here(`must be ${forms.flatMap(({ type }) => (type ? [NAMES[type]] : [])).join(' or ')}`);
}

function violationOfText(value: string, { minLength = 0, maxLength, pattern, enum: allowed }: Rules) {
  if (allowed && !allowed.includes(value)) return here(`must be one of ${allowed.join(', ')}`);
  if (value.length < minLength) return here(minLength === 1 ? 'is empty' : `has fewer than ${minLength} characters`);
  if (maxLength !== undefined && value.length > maxLength) return here(`has more than ${maxLength} characters`);
  return pattern !== undefined && !new RegExp(pattern).test(value) ? here('is blank') : undefined;
}

function violationOfNumber(value: number, { maximum, exclusiveMinimum }: Rules) {
  if (maximum !== undefined && value > maximum) return here(`must be at most ${maximum}`);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return here(`must be above ${exclusiveMinimum}`);
  return undefined;
}

function violationOfList(value: readonly unknown[], { minItems = 0, maxItems, items }: Rules) {
  if (value.length < minItems) return here(`must hold at least ${minItems}`);
  if (maxItems !== undefined && value.length > maxItems) return here(`must hold at most ${maxItems}`);
  // Lists without rules for their members can be nested deeper than the stack.
  if (items === undefined) return undefined;
  for (const [index, member] of value.entries()) {
    const found = violationOf(member, items);
    if (found) return { ...found, path: [index, ...found.path] };
  }
  return undefined;
}

function violationOfObject(
  value: object,
  { required = [], properties = {}, additionalProperties }: Rules,
): Violation | undefined {
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return { path: [missing], problem: 'is missing' };
  const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  for (const name of Object.keys(others ? value : properties)) {
    const rules = Object.hasOwn(properties, name) ? properties[name] : others;
    if (!rules || !Object.hasOwn(value, name)) continue;
    const found = violationOf(Reflect.get(value, name), rules);
    if (found) return { ...found, path: [name, ...found.path] };
  }
  return undefined;
}

function here(problem: string): Violation {
  return { path: [], problem };
}
