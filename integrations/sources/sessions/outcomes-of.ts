import type { Outcome } from 'rsi-loop';
import { OutcomeCollector } from '../import/outcome-collector.js';
import { timedId } from '../timed-id.js';
import { findCorrections } from './corrections.js';
import { findUnseen } from './find-unseen.js';
import { readTraces } from './read-traces.js';
import { type Trace, turnsOf } from './trace.js';
import { findWrongStep } from './wrong-step.js';

/** How findings are recorded: beside the rates and the health, or as failures of their session. */
export type FindingsMode = 'aside' | 'counted';

/** Tag of outcomes that record a finding which does not count as a failure. */
export const ASIDE = 'finding-aside';

/** Returns whether an outcome records a finding that does not count as a failure. */
export function isAside({ tags }: Pick<Outcome, 'tags'>): boolean {
  return tags?.includes(ASIDE) === true;
}

/**
 * Returns the answers and the findings on the sessions in a text as outcomes. An answer without a finding is a success.
 * With `aside` each has the session as its parent, so the health and the rates of other tasks leave it out.
 */
export function findingOutcomes(
  text: string,
  input: { readonly path: string; readonly atMs: number },
  mode: FindingsMode,
): readonly Outcome[] {
  const found = new OutcomeCollector(input, 'sessions');
  for (const trace of readTraces(text, input.path)) add(found, trace, mode);
  return found.batch(0, 0).outcomes;
}

interface Finding {
  readonly task: string;
  readonly issue?: string;
  readonly line: number;
  readonly atMs: number | undefined;
  readonly actual?: string;
  /** Call that the words of a user follow. */
  readonly after?: string;
  readonly agent: string;
}

function add(found: OutcomeCollector, trace: Trace, mode: FindingsMode): void {
  const { session } = trace;
  for (const { task, issue, line, atMs, actual, after, agent } of findingsOn(trace)) {
    const id = timedId(atMs, `${task}-${found.key(session, String(atMs ?? line), actual ?? '')}`);
    const aside = mode === 'aside' ? { parent: `session-${session}`, tags: [ASIDE] } : {};
    const facts = {
      success: issue === undefined,
      ...(issue !== undefined && { issues: [issue], actual, error: actual }),
      session,
      agent,
      atMs,
      context: { line, ...(after !== undefined && { after }) },
      ...aside,
    };
    found.add(task, id, facts);
  }
}

function findingsOn(trace: Trace): readonly Finding[] {
  const step = findWrongStep(trace);
  const unseen = findUnseen(trace);
  const corrections = findCorrections(trace).filter(({ kind }) => kind === 'said' || kind === 'again');
  return [
    ...soundAnswers(trace, new Set([...unseen, ...corrections].map(({ line }) => line))),
    ...unseen.map(({ claimed, seen, proofs, line, atMs }) => ({
      task: 'answer',
      issue: 'claimed_not_seen',
      line,
      atMs,
      actual: [`"${claimed}", but ${seen}`, ...proofs.map((proof) => `line ${proof.line}: ${proof.text}`)].join('; '),
      agent: 'main',
    })),
    ...corrections.map(({ kind, said, line, atMs, after }) => ({
      task: 'answer',
      issue: kind === 'said' ? 'corrected_by_user' : 'asked_again',
      line,
      atMs,
      actual: `the user wrote: “${said.replace(/\s+/g, ' ')}”`,
      ...(after !== undefined && { after: `${after.tool} ${after.input.slice(0, 200)}` }),
      agent: 'main',
    })),
    ...(step === undefined
      ? []
      : [
          {
            task: 'first wrong step',
            issue: 'wrong_step',
            line: step.line,
            atMs: undefined,
            actual: [step.why, ...step.proofs.map((proof) => `step ${proof.line}: ${proof.text}`)].join('; '),
            agent: step.agent,
          },
        ]),
  ];
}

/** Returns the answers that no finding is about: neither the answer itself nor the request after it is one. */
function soundAnswers(trace: Trace, found: ReadonlySet<number>): readonly Finding[] {
  const turns = turnsOf(trace);
  return turns.flatMap(({ answer }, index) => {
    const next = turns[index + 1]?.request;
    if (answer === undefined || found.has(answer.line) || (next !== undefined && found.has(next.line))) return [];
    return [{ task: 'answer', line: answer.line, atMs: answer.atMs, agent: 'main' }];
  });
}
