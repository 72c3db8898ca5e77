import type { Json } from 'rsi-loop';
import { chance, isObject } from 'rsi-loop/kit';
import { hashOf } from 'rsi-loop/node';
import { propertyInputs } from './property-inputs.js';
import type { Sandbox, SandboxAnswer, SandboxPermissions, SandboxProgram } from './sandbox.js';
import type { SkillContent, SkillTest } from './skill.js';
import { checkValue } from './value-schema.js';

export interface Passed {
  readonly passed: number;
  readonly of: number;
}

/** Failure of an open test or a property. */
export interface TestFailure {
  readonly input: Json;
  /** Absent for a property. */
  readonly expected?: Json;
  readonly got?: Json;
  /** Problem in one sentence. May quote the program, so untrusted. */
  readonly problem: string;
}

/** Result of the tests of a skill. */
export interface TestReport {
  readonly open: Passed;
  readonly hidden: Passed;
  /** Inputs made near the open examples: the program should answer by its schema, the same twice, within its limits. */
  readonly properties: Passed;
  /** At most 5, and none of a hidden test. */
  readonly failures: readonly TestFailure[];
  /** Problems with made inputs, at most 5. They decide nothing, as callers may never send such an input. */
  readonly warnings: readonly TestFailure[];
  /** Whether there is a hidden test, and all tests passed. */
  readonly working: boolean;
}

export interface TestOptions {
  readonly allow?: SandboxPermissions;
  readonly signal?: AbortSignal;
}

const MAX_FAILURES = 5;
const PROPERTY_INPUTS = 16;
/** Inputs that run twice, to compare the answers. */
const REPEATED = 3;
/** Classes of errors that programs do not throw on purpose. */
const BUGS = /^(?:Uncaught )?(?:Type|Reference|Range|Syntax|Internal)Error\b/;
/** Relative difference at which two numbers count as equal. */
const CLOSE = 1e-9;

/** Returns a skill's code as a sandbox runs it; `undefined` for instructions. */
export function programOf({ code }: Pick<SkillContent, 'code'>): SandboxProgram | undefined {
  return code && { language: code.language, code: code.text, hash: hashOf(code.text) };
}

/**
 * Runs all tests of a skill. Hidden tests run only if all others pass, and none after a time-out, so that each failure
 * costs little.
 */
export async function runTests(skill: SkillContent, sandbox: Sandbox, options: TestOptions = {}): Promise<TestReport> {
  const program = programOf(skill);
  const hidden = skill.tests.filter((test) => test.hidden);
  const open = skill.tests.filter((test) => !test.hidden);
  const none = { passed: 0, of: hidden.length };
  const nothing = { passed: 0, of: 0 };
  if (!program)
    return {
      open: { passed: 0, of: open.length },
      hidden: none,
      properties: nothing,
      failures: [],
      warnings: [],
      working: false,
    };
  const run = (input: Json) => sandbox.run(program, input, options);
  const failures: TestFailure[] = [];
  const opened = await passedOf(open, skill, run, failures);
  const warnings: TestFailure[] = [];
  const isGood = opened.passed === opened.of;
  const properties = isGood ? await runProperties(skill, run, warnings) : nothing;
  // Their schema was read from the open ones: what is expected of them is their answer alone.
  const done = isGood ? await passedOf(hidden, withoutOutput(skill), run, []) : none;
  const working = isGood && done.of > 0 && done.passed === done.of;
  return {
    open: opened,
    hidden: done,
    properties,
    failures: failures.slice(0, MAX_FAILURES),
    warnings: warnings.slice(0, MAX_FAILURES),
    working,
  };
}

function withoutOutput({ output: _, ...skill }: SkillContent): SkillContent {
  return skill;
}

/** Returns the result of tests in one sentence. */
export function sentenceOf(report: TestReport): string {
  return `${report.working ? 'works' : 'does not work yet'}: ${countsOf(report)}`;
}

/** Returns how many tests of each kind passed. */
export function countsOf({ open, hidden, properties }: TestReport): string {
  return `open tests ${open.passed} of ${open.of}, near them ${properties.passed} of ${properties.of}, hidden ${hidden.passed} of ${hidden.of}`;
}

/** Returns whether two JSON values are equal, numbers up to rounding and members in any order. */
function sameJson(one: Json | undefined, other: Json | undefined): boolean {
  if (typeof one === 'number' && typeof other === 'number')
    return one === other || Math.abs(one - other) <= CLOSE * Math.max(Math.abs(one), Math.abs(other));
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((member, at) => sameJson(member as Json, other[at] as Json));
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameJson(one[name] as Json, other[name] as Json))
  );
}

type Run = (input: Json) => Promise<SandboxAnswer>;

async function passedOf(
  tests: readonly SkillTest[],
  skill: SkillContent,
  run: Run,
  failures: TestFailure[],
): Promise<Passed> {
  let passed = 0;
  for (const { input, output } of tests) {
    const answer = await run(input);
    const problem =
      testProblem(answer, skill) ?? (sameAnswer(answer, output) ? undefined : 'the answer is not the expected one');
    if (problem === undefined) passed++;
    else failures.push({ input, expected: output, problem, ...gotOf(answer) });
    if (isTimeout(answer)) break;
  }
  return { passed, of: tests.length };
}

async function runProperties(skill: SkillContent, run: Run, failures: TestFailure[]): Promise<Passed> {
  if (!skill.input) return { passed: 0, of: 0 };
  const random = chance.seededRandom(Number.parseInt(hashOf(JSON.stringify(skill.input)).slice(0, 8), 16));
  const examples = skill.tests.filter((test) => !test.hidden).map((test) => test.input);
  const inputs = propertyInputs(skill.input, examples, { count: PROPERTY_INPUTS, random });
  let passed = 0;
  for (const [at, input] of inputs.entries()) {
    const answer = await run(input);
    const problem = faultOf(answer, skill) ?? (at < REPEATED ? await differs(answer, () => run(input)) : undefined);
    if (problem === undefined) passed++;
    else failures.push({ input, problem, ...gotOf(answer) });
    if (isTimeout(answer)) break;
  }
  return { passed, of: inputs.length };
}

/** Returns the problem of a test's answer. */
function testProblem(answer: SandboxAnswer, { output }: SkillContent): string | undefined {
  if (answer.kind === 'failed') return `${answer.reason}: ${answer.message}`;
  return output && checkValue(answer.output, output);
}

/** Returns the problem of an answer to any valid input: the program may reject an input, but not by a bug. */
function faultOf(answer: SandboxAnswer, skill: SkillContent): string | undefined {
  if (answer.kind === 'failed' && answer.reason === 'error' && !BUGS.test(answer.message)) return undefined;
  return testProblem(answer, skill);
}

async function differs(answer: SandboxAnswer, again: () => Promise<SandboxAnswer>): Promise<string | undefined> {
  const second = await again();
  const isSame =
    answer.kind === 'answer' && second.kind === 'answer'
      ? JSON.stringify(answer.output) === JSON.stringify(second.output)
      : answer.kind === second.kind;
  return isSame ? undefined : 'the same input got two different answers';
}

function isTimeout(answer: SandboxAnswer): boolean {
  return answer.kind === 'failed' && answer.reason === 'timeout';
}

function sameAnswer(answer: SandboxAnswer, expected: Json): boolean {
  return answer.kind === 'answer' && sameJson(answer.output, expected);
}

function gotOf(answer: SandboxAnswer): { readonly got?: Json } {
  return answer.kind === 'answer' ? { got: answer.output } : {};
}
