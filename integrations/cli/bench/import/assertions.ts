import { type CheckSpec, jsonSchema } from 'rsi-loop/bench';
import { isRow, nonEmptyText, type Row } from '../../../sources/import/import-fields.js';
import { literal } from './imported.js';
import { rendered, Unmapped } from './templates.js';

/** Check that says the same as the assertions of a test, and how it differs. */
export interface MappedCheck {
  readonly check: CheckSpec;
  /** Expected answer of a check `exact`. */
  readonly expected?: string;
  readonly changes: readonly string[];
}

/** Assertions that judge the cost or speed of an answer, not the answer. */
const GUARDS: ReadonlySet<string> = new Set(['cost', 'latency']);
const CODE: ReadonlySet<string> = new Set(['javascript', 'python', 'ruby', 'webhook']);

/**
 * Maps the assertions of a promptfoo test, all of which must hold, to one check.
 * @throws Unmapped for an assertion without a counterpart: a check without it would call wrong answers right.
 */
export function mapAssertions(assertions: readonly unknown[], vars: Row): MappedCheck {
  const changes: string[] = [];
  const deciding = assertions.map(rowWithType).filter(({ type, weight }) => {
    if (GUARDS.has(type)) changes.push(`${type} is left out: rsi bench compare has guards for cost and duration`);
    else if (weight === 0) changes.push(`${type} has the weight 0 and is left out`);
    return !GUARDS.has(type) && weight !== 0;
  });
  const checks = deciding.map((assertion) => checkOf(assertion, vars, changes));
  const [check] = checks;
  if (check === undefined)
    return { check: { kind: 'succeeds' }, changes: [...changes, 'no assertion is left: every answer is right'] };
  if (checks.length > 1) return { check: { kind: 'all', checks }, changes };
  // An expected text is shown to proposers and people; in a combination it is an expression.
  const expected = deciding[0]?.type === 'equals' ? deciding[0].value : undefined;
  if (!isText(expected)) return { check, changes };
  return { check: { kind: 'exact' }, expected: rendered(String(expected), vars), changes };
}

function rowWithType(assertion: unknown): Row & { readonly type: string } {
  const type = isRow(assertion) ? nonEmptyText(assertion.type) : undefined;
  if (isRow(assertion) && type !== undefined) return { ...assertion, type };
  throw new Unmapped(
    isRow(assertion) && '$ref' in assertion
      ? 'a $ref is not read: write the assertion out'
      : 'an assertion has no type',
  );
}

function checkOf(assertion: Row, vars: Row, changes: string[]): CheckSpec {
  const { type, transform, threshold } = rowWithType(assertion);
  if (transform !== undefined) throw new Unmapped(`${type} has a transform, which is code`);
  if (type === 'assert-set') return setOf(assertion, vars, changes);
  if (type.startsWith('not-'))
    return { kind: 'not', check: checkOf({ ...assertion, type: type.slice('not-'.length) }, vars, changes) };
  if (CODE.has(type)) throw new Unmapped(`${type} is code: write it as a check function of the problem`);
  const map = Object.hasOwn(MAPPED, type) ? MAPPED[type] : undefined;
  if (!map) throw new Unmapped(`${type} has no counterpart: write it as a check function of the problem`);
  if (threshold !== undefined) changes.push(`the threshold of ${type} is left out: its score counts as it is`);
  return map(value(assertion, vars), type);
}

function setOf({ assert, threshold }: Row, vars: Row, changes: string[]): CheckSpec {
  if (threshold !== undefined && threshold !== 1)
    throw new Unmapped('assert-set has a threshold, which has no counterpart');
  if (!Array.isArray(assert) || assert.length === 0) throw new Unmapped('assert-set has no assertions');
  return { kind: 'all', checks: assert.map((one) => checkOf(one, vars, changes)) };
}

/** Returns the value with its templates filled in, in texts at the top and in a list. */
function value({ value: given }: Row, vars: Row): unknown {
  if (typeof given === 'string') return rendered(given, vars);
  if (isRow(given) && JSON.stringify(given).includes('{{'))
    throw new Unmapped('templates inside an object are not read');
  return Array.isArray(given) ? given.map((one) => (typeof one === 'string' ? rendered(one, vars) : one)) : given;
}

type Mapping = (value: unknown, type: string) => CheckSpec;

const MAPPED: Readonly<Record<string, Mapping>> = {
  equals: (wanted, type) =>
    typeof wanted === 'object' && wanted !== null
      ? { kind: 'json-schema', schema: { const: wanted } }
      : { kind: 'regex', pattern: `^\\s*${literal(oneText(wanted, type))}\\s*$` },
  contains: (wanted, type) => ({ kind: 'contains', texts: [oneText(wanted, type)] }),
  icontains: (wanted, type) => ({ kind: 'contains', texts: [oneText(wanted, type)], ignoreCase: true }),
  'contains-all': (wanted, type) => each('all', texts(wanted, type), false),
  'icontains-all': (wanted, type) => each('all', texts(wanted, type), true),
  'contains-any': (wanted, type) => each('any', texts(wanted, type), false),
  'icontains-any': (wanted, type) => each('any', texts(wanted, type), true),
  'starts-with': (wanted, type) => ({ kind: 'regex', pattern: `^${literal(oneText(wanted, type))}` }),
  regex: (wanted, type) => {
    const pattern = oneText(wanted, type);
    valid(type, () => new RegExp(pattern));
    return { kind: 'regex', pattern };
  },
  'is-json': (wanted, type) => {
    const schema = wanted ?? {};
    if (!isRow(schema)) throw new Unmapped('the schema of is-json is a text: write it as YAML');
    valid(type, () => jsonSchema(schema));
    return { kind: 'json-schema', schema };
  },
  'llm-rubric': judged,
  'g-eval': judged,
  'model-graded-closedqa': judged,
};

function judged(wanted: unknown, type: string): CheckSpec {
  return { kind: 'judge', instructions: texts(wanted, type, false).join('\n') };
}

function each(kind: 'all' | 'any', wanted: readonly string[], ignoreCase: boolean): CheckSpec {
  return {
    kind,
    checks: wanted.map((text) => ({ kind: 'contains', texts: [text], ...(ignoreCase && { ignoreCase }) })),
  };
}

function isText(given: unknown): given is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof given) && given !== '';
}

function oneText(given: unknown, type: string): string {
  if (isText(given)) return String(given);
  throw new Unmapped(`${type} has no text as its value`);
}

/** Returns a list of texts, also from one text with commas, as promptfoo reads it. */
function texts(given: unknown, type: string, withCommas = true): readonly string[] {
  const list = typeof given === 'string' && withCommas ? given.split(',').map((one) => one.trim()) : [given].flat();
  if (list.length === 0) throw new Unmapped(`${type} has no text as its value`);
  return list.map((one) => oneText(one, type));
}

function valid(type: string, check: () => unknown): void {
  try {
    check();
  } catch (cause) {
    throw new Unmapped(`${type}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
