import type { Outcome } from 'rsi-loop';
import { OutcomeCollector } from '../import/outcome-collector.js';
import { timedId } from '../timed-id.js';
import { findCorrections } from './corrections.js';
import { findUnseen } from './find-unseen.js';
import { readTraces } from './read-traces.js';
import type { Trace } from './trace.js';
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
 * Returns the findings on the sessions in a text as outcomes. With `aside` each has the session as its parent, so the
 * rates and the health leave it out.
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
  readonly issue: string;
  readonly line: number;
  readonly atMs: number | undefined;
  readonly actual: string;
  readonly agent: string;
}

function add(found: OutcomeCollector, trace: Trace, mode: FindingsMode): void {
  const { session } = trace;
  for (const { task, issue, line, atMs, actual, agent } of findingsOn(trace)) {
    const id = timedId(atMs, `${task}-${found.key(session, String(atMs ?? line), actual)}`);
    const aside = mode === 'aside' ? { parent: `session-${session}`, tags: [ASIDE] } : {};
    const facts = {
      success: false,
      issues: [issue],
      session,
      agent,
      atMs,
      actual,
      error: actual,
      context: { line },
      ...aside,
    };
    found.add(task, id, facts);
  }
}

function findingsOn(trace: Trace): readonly Finding[] {
  const step = findWrongStep(trace);
  return [
    ...findUnseen(trace).map(({ claimed, seen, proofs, line, atMs }) => ({
      task: 'answer',
      issue: 'claimed_not_seen',
      line,
      atMs,
      actual: [`"${claimed}", but ${seen}`, ...proofs.map((proof) => `line ${proof.line}: ${proof.text}`)].join('; '),
      agent: 'main',
    })),
    ...findCorrections(trace)
      .filter(({ kind }) => kind === 'said' || kind === 'again')
      .map(({ kind, said, line, atMs, after }) => ({
        task: 'answer',
        issue: kind === 'said' ? 'corrected_by_user' : 'asked_again',
        line,
        atMs,
        actual: `"${said}"${after === undefined ? '' : `, after ${after.tool} ${after.input.slice(0, 200)}`}`.replace(
          /\s+/g,
          ' ',
        ),
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
