import { type Clock, type Fix, type FixId, type LedgerEntry, LoopError, redact } from 'rsi-loop';
import { askedFixes, followedParts, type LoopHandle, type LoopParts, recordedText } from 'rsi-loop/kit';
import { ACTION, addActionKind, CONFIRMATION } from './action-kind.js';

/** Question to a person about one action with these arguments. */
export interface Question {
  readonly tool: string;
  /** Hash of the tool and its arguments: an answer holds for these only. */
  readonly hash: string;
  /** Arguments as text for people, without secrets. */
  readonly shown: string;
  /** Why a person is asked. */
  readonly why: string;
  readonly timeoutMs: number;
}

const BY = 'action gate';
const POLL_MS = 500;
/** A rejected action is rejected again without a question for this time. */
const REJECTED_MS = 3_600_000;

/**
 * Asks people about actions. A question is a proposal in the ledger of the loop, so the dashboard, the command line,
 * webhooks and the loop's gate answer it, also after a restart of the process that asked.
 */
export class Confirmations {
  readonly #loop: LoopHandle;
  readonly #clock: Clock;

  constructor(loop: LoopHandle, clock: Clock) {
    this.#loop = loop;
    addActionKind(loop);
    this.#clock = clock;
  }

  /**
   * Resolves when a person approved the action. The approval is used up by this: it holds for one run.
   * @throws LoopError `not-accepted` if a person rejected it, or there is no answer in time.
   */
  async ask(question: Question, signal: AbortSignal | undefined): Promise<void> {
    const id = askedFixes.fixIdOf(askedFixes.ideaOf(`action ${question.hash}`), ACTION, question.tool);
    let isOwn = false;
    for (;;) {
      signal?.throwIfAborted();
      const { ledger } = await followedParts(this.#loop);
      await ledger.follow();
      if (ledger.broken !== undefined) throw refused(question, `the ledger cannot be trusted: ${ledger.broken}`);
      const step = this.#next(id, ledger.state.fixes.get(id), question);
      if (step.kind === 'refuse') throw refused(question, step.why);
      const isDone = step.kind !== 'wait' && (await tryAppend(ledger, step.entry));
      if (isDone && step.kind === 'use') return;
      // A question of an earlier process without an answer is asked again.
      if (isDone && step.kind === 'expire' && isOwn)
        throw refused(question, `no answer in ${question.timeoutMs / 1_000} s`);
      isOwn ||= step.kind === 'ask' || step.kind === 'wait';
      await this.#pause(signal);
    }
  }

  #next(id: FixId, fix: Fix | undefined, question: Question): Step {
    const nowMs = this.#clock.now();
    const isRecent = fix !== undefined && nowMs - fix.changedMs < question.timeoutMs;
    if (fix?.status === 'proposed' && isRecent) return { kind: 'wait' };
    if (fix?.status === 'proposed')
      return { kind: 'expire', entry: move(id, 'expired', 'not answered in time', nowMs) };
    if (fix?.status === 'approved' || fix?.status === 'applied-unverified') {
      if (isRecent) return { kind: 'use', entry: move(id, 'superseded', 'the action ran', nowMs) };
      return { kind: 'expire', entry: move(id, 'superseded', 'the approval was not used in time', nowMs) };
    }
    if (fix?.status === 'rejected' && nowMs - fix.changedMs < REJECTED_MS) {
      const { by = 'a person', reason = '' } = fix.decision.kind === 'rejected' ? fix.decision : {};
      return { kind: 'refuse', why: `${by} rejected it: ${reason}` };
    }
    return { kind: 'ask', entry: { kind: 'fix-proposed', atMs: nowMs, by: BY, fix: fixOf(id, question, nowMs) } };
  }

  #pause(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        signal?.removeEventListener('abort', end);
        cancel();
        resolve();
      };
      const cancel = this.#clock.after(POLL_MS, end);
      signal?.addEventListener('abort', end, { once: true });
    });
  }
}

type Step =
  | { readonly kind: 'wait' }
  | { readonly kind: 'refuse'; readonly why: string }
  | { readonly kind: 'ask' | 'use' | 'expire'; readonly entry: LedgerEntry };

/** Appends an entry. Returns false if another process was first. */
async function tryAppend(ledger: LoopParts['ledger'], entry: LedgerEntry): Promise<boolean> {
  try {
    await ledger.append(() => [entry]);
    return true;
  } catch (error) {
    if (LoopError.is(error) && error.code === 'illegal-step') return false;
    throw error;
  }
}

function move(fixId: FixId, to: 'expired' | 'superseded', reason: string, atMs: number): LedgerEntry {
  return { kind: 'fix-moved', atMs, by: BY, fixId, to, reason };
}

function fixOf(id: FixId, { tool, hash, shown, why }: Question, atMs: number): Fix {
  const name = recordedText(tool, 200);
  const change = {
    kind: ACTION,
    scope: { task: name },
    content: { tool: name, arguments: recordedText(shown), hash },
    undo: {},
  };
  const reason = recordedText(redact(why), 500);
  const about = `action ${hash}`;
  return askedFixes.questionFix(
    { id, about, task: name, issue: CONFIRMATION, change, reason, notTestable: 'it is one action' },
    atMs,
  );
}

function refused({ tool }: Question, why: string): LoopError {
  return new LoopError('not-accepted', `${recordedText(tool, 100)} was not run: ${recordedText(why, 300)}`);
}
