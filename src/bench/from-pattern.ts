import { LoopError } from '../contract/errors.js';
import type { Journal } from '../contract/journal.js';
import type { Outcome } from '../contract/outcome.js';
import type { Pattern } from '../contract/pattern.js';
import type { Problem } from './problem.js';

/** The part of an `RSILoop` that has its failures. */
interface RecordedFailures {
  patterns(): readonly Pattern[];
  readonly store: { readonly journal: Pick<Journal, 'read'> };
}

export interface FromPatternOptions {
  /** Limit on problems: the newest failures with different inputs. Default 5. */
  readonly max?: number;
}

/**
 * Makes regression problems of recorded failures, so that a mended failure is noticed when it comes back. The input of a
 * problem is the `context` that was recorded with the failure, redacted as it is stored, with the name of the task.
 * Without a check of your own, a problem counts as solved if the run does not throw.
 * @throws LoopError `invalid-input` if no such pattern is known, or its failures were recorded without context.
 */
export async function problemsFromPattern(
  loop: RecordedFailures,
  patternId: string,
  { max = 5 }: FromPatternOptions = {},
): Promise<readonly Problem[]> {
  const pattern = loop.patterns().find(({ id }) => id === patternId);
  if (!pattern) throw new LoopError('invalid-input', `there is no pattern ${patternId}: loop.patterns() lists them`);
  const byInput = new Map<string, Outcome>();
  const evidence = new Set(pattern.evidence);
  for await (const { record } of loop.store.journal.read()) {
    if (record.kind !== 'outcome' || !isOf(pattern, evidence, record.outcome)) continue;
    const input = JSON.stringify(record.outcome.context);
    // Deleted first, so that the newest failure with this input comes last.
    byInput.delete(input);
    byInput.set(input, record.outcome);
    if (byInput.size > max) byInput.delete(byInput.keys().next().value ?? '');
  }
  if (byInput.size > 0) return [...byInput.values()].map((outcome, index) => problemOf(pattern, outcome, index));
  throw new LoopError(
    'invalid-input',
    `the failures of pattern ${patternId} were recorded without context: record what the agent received in "context"`,
  );
}

function isOf({ task, issue }: Pattern, evidence: ReadonlySet<string>, outcome: Outcome): boolean {
  if (outcome.context === undefined) return false;
  return evidence.has(outcome.id) || (!outcome.success && outcome.task === task && outcome.issues[0] === issue);
}

function problemOf({ id, issue }: Pattern, { task, context, expected }: Outcome, index: number): Problem {
  return {
    id: `pattern ${id} ${index + 1}`,
    input: { task, ...context },
    ...(expected !== undefined && { expected }),
    check: { kind: 'succeeds' },
    tags: ['pattern', issue],
  };
}
