import { LoopError, type Outcome, type Pattern, redact } from 'rsi-loop';
import { cleaning, hashing, mustBe } from 'rsi-loop/kit';
import type { Journal } from 'rsi-loop/testing';
import type { Problem } from './problem.js';

/** The part of an `RSILoop` that has its failures. */
interface RecordedFailures {
  patterns(): readonly Pattern[];
  readonly store: { readonly journal: Pick<Journal, 'read'> };
}

/** Options of problems made from a pattern. */
export interface FromPatternOptions {
  /** Limit on problems: the newest failures with different inputs. Default 5. */
  readonly max?: number;
}

/**
 * Makes regression problems of recorded failures, so that a mended failure is noticed when it comes back. The input of a
 * problem is the `context` that was recorded with the failure, redacted, with the name of the task. Its id depends on the input
 * alone. It is solved by the recorded `expected` answer; without one, by a run that does not throw. If neither an answer nor
 * an error was recorded, the suite needs a `score`.
 * @throws LoopError `invalid-input` if no such pattern is known, or its failures were recorded without context.
 */
export async function problemsFromPattern(
  loop: RecordedFailures,
  patternId: string,
  { max = 5 }: FromPatternOptions = {},
): Promise<readonly Problem[]> {
  mustBe(Number.isInteger(max) && max >= 1, 'max', max, 'a whole number from 1');
  const pattern = loop.patterns().find(({ id }) => id === patternId);
  if (!pattern) throw new LoopError('invalid-input', `there is no pattern ${patternId}: loop.patterns() lists them`);
  const byInput = new Map<string, Problem>();
  const evidence = new Set(pattern.evidence);
  for await (const { record } of loop.store.journal.read()) {
    if (record.kind !== 'outcome' || !isOf(pattern, evidence, record.outcome)) continue;
    const problem = benchProblem(pattern, record.outcome);
    // Deleted first, so that the newest failure with this input comes last.
    byInput.delete(problem.id);
    byInput.set(problem.id, problem);
    if (byInput.size > max) byInput.delete(byInput.keys().next().value ?? '');
  }
  if (byInput.size > 0) return [...byInput.values()];
  throw new LoopError(
    'invalid-input',
    `the failures of pattern ${patternId} were recorded without context: record what the agent received in "context"`,
  );
}

function isOf({ task, issue, template }: Pattern, evidence: ReadonlySet<string>, outcome: Outcome): boolean {
  const { id, context, success, issues, error } = outcome;
  if (context === undefined) return false;
  // The evidence is the newest part of the failures. Others of the task may have the same issue, but not the same message.
  return (
    evidence.has(id) || (!success && outcome.task === task && issues[0] === issue && fits(error?.message, template))
  );
}

/** Returns whether a message has the fixed parts of a template in their order. */
function fits(message: string | undefined, template: string): boolean {
  let at = 0;
  return template.split('<*>').every((part) => {
    const found = message?.indexOf(part.trim(), at) ?? -1;
    at = found + part.trim().length;
    return found >= 0;
  });
}

function benchProblem({ id, issue }: Pattern, { task, context = {}, expected, error }: Outcome): Problem {
  // Redacted when it was recorded; again, because a program may have written the journal itself.
  const input = { ...cleaning.sanitizeObject(context), task };
  return {
    id: `pattern ${id} ${hashing.hashHex(JSON.stringify(input))}`,
    input,
    ...(expected !== undefined && { expected: redact(expected) }),
    ...(expected !== undefined ? { check: { kind: 'exact' } } : error && { check: { kind: 'succeeds' } }),
    tags: ['pattern', issue],
  };
}
