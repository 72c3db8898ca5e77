import { type Json, LoopError } from 'rsi-loop';
import { hashing, isObject } from 'rsi-loop/kit';
import { readSchema } from './read-schema.js';
import type { SkillContent, SkillTest } from './skill.js';
import { checkValue } from './value-schema.js';

const FORMAT = 'rsi-skill-tests/1';
const MAX_TESTS = 500;

type Tested = Pick<SkillContent, 'input' | 'output' | 'tests'>;

/**
 * Reads a `tests.json`: schemas of input and output, and the tests.
 * @throws LoopError `invalid-input` naming the place.
 */
export function readTests(text: string): Tested {
  const say = (problem: string) => new LoopError('invalid-input', `tests.json ${problem}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new LoopError('invalid-input', 'tests.json is not JSON', { cause: error });
  }
  if (!isObject(value) || value.format !== FORMAT) throw say(`has no "format": "${FORMAT}"`);
  if (!Array.isArray(value.tests) || value.tests.length > MAX_TESTS)
    throw say(`has no list of at most ${MAX_TESTS} tests`);
  const input = value.input === undefined ? undefined : readSchema(value.input, 'input of tests.json');
  const output = value.output === undefined ? undefined : readSchema(value.output, 'output of tests.json');
  const tests = value.tests.map((test: unknown, at): SkillTest => {
    if (!isObject(test) || !('input' in test) || !('output' in test)) throw say(`test ${at + 1} lacks input or output`);
    const [given, expected] = [test.input as Json, test.output as Json]; // JSON.parse returned them
    const problem =
      (input && checkValue(given, input, `the input of test ${at + 1}`)) ??
      (output && checkValue(expected, output, `the output of test ${at + 1}`));
    if (problem !== undefined) throw say(`contradicts its schema: ${problem}`);
    return { input: given, output: expected, hidden: test.hidden === true };
  });
  return { ...(input && { input }), ...(output && { output }), tests };
}

export function writeTests({ input, output, tests }: Tested): string {
  return `${JSON.stringify({ format: FORMAT, ...(input && { input }), ...(output && { output }), tests }, null, 2)}\n`;
}

/**
 * Returns examples as tests, half of them hidden, rounded up. The choice depends on the examples alone, so that
 * learning again hides the same ones.
 */
export function testsOf(examples: readonly (readonly [input: Json, output: Json])[]): readonly SkillTest[] {
  const distinct = [...new Map(examples.map((one) => [JSON.stringify(one[0]), one])).entries()];
  const order = distinct.map(([key]) => key).sort((a, b) => (hashing.hashHex(a) < hashing.hashHex(b) ? -1 : 1));
  const hidden = new Set(order.slice(0, Math.ceil(order.length / 2)));
  return distinct.map(([key, [input, output]]) => ({ input, output, hidden: hidden.has(key) }));
}
