import type { Clock } from '../contract/clock.js';
import type { Decision, Fix } from '../contract/fix.js';
import type { Gate } from '../contract/gate.js';
import type { FixId } from '../contract/ids.js';
import { messageOf } from '../lib/text.js';

/** An answer that decides something. */
export type GateAnswer = Exclude<Decision, { kind: 'waiting' }>;

export interface QuestionsOptions {
  readonly gate: Gate;
  readonly clock: Clock;
  /** Called for every answer but `waiting`, whenever it comes; false when the fix is no longer where it was when asked. */
  readonly onAnswer: (fix: Fix, answer: GateAnswer) => Promise<boolean>;
  readonly report: (message: string) => void;
}

/** A question that the gate has not answered. */
interface Question {
  readonly fix: Fix;
  readonly abort: AbortController;
}

/** A gate that answers within this is heard in the same cycle; one that takes longer whenever it is done. */
const PATIENCE_MS = 50;

/** Asks the gate about fixes, one question at a time for each, and never lets a slow or broken gate hold up the loop. */
export class Questions {
  readonly #options: QuestionsOptions;
  readonly #open = new Map<FixId, Question>();
  #isClosed = false;

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** Asks about every fix that needs an answer now; questions about others are taken back. */
  async ask(fixes: readonly Fix[]): Promise<void> {
    this.#takeBack(fixes);
    const asked = fixes.filter(({ id }) => !this.#open.has(id)).map((fix) => this.#ask(fix));
    if (asked.length === 0) return;
    let cancel = () => {};
    const patience = new Promise<void>((resolve) => {
      cancel = this.#options.clock.after(PATIENCE_MS, resolve, { background: true });
    });
    await Promise.race([Promise.all(asked), patience]);
    cancel();
  }

  /** Tells the gate that nobody waits for its answers any more. */
  close(): void {
    this.#isClosed = true;
    this.#takeBack([]);
  }

  /** A fix that was decided on by somebody else, or ended, needs no answer of the gate any more. */
  #takeBack(needed: readonly Fix[]): void {
    for (const [id, { fix, abort }] of this.#open) {
      if (needed.some((other) => other.id === id && other.status === fix.status)) continue;
      this.#open.delete(id);
      abort.abort();
    }
  }

  async #ask(fix: Fix): Promise<void> {
    const { gate, onAnswer, report } = this.#options;
    const question = { fix, abort: new AbortController() };
    const { signal } = question.abort;
    this.#open.set(fix.id, question);
    try {
      const decision = parseDecision(await gate.decide(fix, { signal }));
      if (decision.kind === 'waiting' || this.#isClosed) return;
      const isHeard = !signal.aborted && (await onAnswer(fix, decision));
      if (!isHeard)
        report(`the gate ${decision.kind} fix ${fix.id} too late: it had been decided on, nothing was done`);
    } catch (error) {
      // A gate that stops because it was told to has not failed.
      if (signal.aborted) return;
      report(`the gate failed on fix ${fix.id}: ${messageOf(error)}`);
    } finally {
      if (this.#open.get(fix.id) === question) this.#open.delete(fix.id);
    }
  }
}

/** The gate is the host's code: what it answers is checked once. */
function parseDecision(decision: unknown): GateAnswer | { readonly kind: 'waiting' } {
  if (typeof decision === 'object' && decision !== null && 'kind' in decision) {
    const { kind, by, reason } = decision as { kind: unknown; by?: unknown; reason?: unknown }; // checked below
    if (kind === 'waiting') return { kind };
    const isSaid = typeof by === 'string' && (reason === undefined || typeof reason === 'string');
    if ((kind === 'approved' || kind === 'refused') && isSaid) return decision as GateAnswer; // the loop says when
  }
  throw new Error('it must answer { kind: "approved" | "refused", by, reason } or { kind: "waiting" }');
}
