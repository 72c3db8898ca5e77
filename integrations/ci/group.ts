import { classifyError, type Issue, TemplateMiner } from 'rsi-loop';
import { digest } from './test-key.js';

/** Failure to group. */
export interface FailedTest {
  readonly message: string;
  /** Innermost place in the project, such as `src/db.ts:12`. */
  readonly at: string | undefined;
}

/** Failures with one cause. */
export interface FailurePattern {
  readonly id: string;
  readonly issue: Issue;
  /** Message with its variable parts as `<*>`. */
  readonly template: string;
  /** Numbers of the failures, in the order given. */
  readonly tests: readonly number[];
}

/** Messages of assertions: they differ in their values only, and say nothing of the cause. */
const ASSERTION =
  /^(?:\w*Assertion\w*(?:Error)?\b|expect(?:ed)?\b|assert\b|want\b|got\b|Error: expect|.{0,60}\bto (?:equal|be)\b|values have same structure)/i;

/**
 * Groups failures by their messages without values. Messages of assertions belong together only if they fail at the same
 * place too.
 */
export function groupFailures(failures: readonly FailedTest[]): readonly FailurePattern[] {
  const miner = new TemplateMiner({ separate: (message) => classifyError(message).category });
  const ids = failures.map(({ message }) => miner.add(message).id);
  const groups = new Map<string, number[]>();
  failures.forEach(({ message, at }, number) => {
    const place = ASSERTION.test(message) ? (at ?? String(number)) : '';
    const key = `${miner.resolve(ids[number] ?? '')} ${place}`;
    const known = groups.get(key);
    if (known) known.push(number);
    else groups.set(key, [number]);
  });
  return [...groups]
    .map(([key, tests]) => {
      const message = failures[tests[0] ?? 0]?.message ?? '';
      const { template } = miner.add(message);
      // One failure is shown as it is; the template of several shows what they share.
      const shown = tests.length === 1 ? message : template;
      return { id: `p-${digest(key, 10)}`, issue: classifyError(message).category, template: shown, tests };
    })
    .sort((one, other) => other.tests.length - one.tests.length);
}
