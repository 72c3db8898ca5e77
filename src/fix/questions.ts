import type { Clock } from '../contract/clock.js';
import type { Decision, Fix } from '../contract/fix.js';
import type { Gate } from '../contract/gate.js';
import type { FixId } from '../contract/ids.js';
import { messageOf } from '../lib/text.js';

/** Answer that decides something. */
export type GateAnswer = Exclude<Decision, { kind: 'waiting' }>;

export interface QuestionsOptions {
  readonly gate: Gate;
  readonly clock: Clock;
  /**
   * Called for every answer except `waiting`, whenever it arrives. Returns false if the fix changed status since then.
   */
  readonly onAnswer: (fix: Fix, answer: GateAnswer) => Promise<boolean>;
  readonly report: (message: string) => void;
}

/** Question that the gate has not answered. */
interface Question {
  readonly fix: Fix;
  readonly abort: AbortController;
}

/** How long a cycle waits for the gate. Later answers are handled when they arrive. */
const PATIENCE_MS = 50;

/** Asks the gate about fixes, with one open question per fix. A slow or broken gate never blocks the loop. */
export class Questions {
  readonly #options: QuestionsOptions;
  readonly #open = new Map<FixId, Question>();
  #isClosed = false;

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** Asks about every fix that needs an answer now. Withdraws questions about all others. */
  async ask(fixes: readonly Fix[]): Promise<void> {
    this.#withdrawOthers(fixes);
    const asked = fixes.filter(({ id }) => !this.#open.has(id)).map((fix) => this.#ask(fix));
    if (asked.length === 0) return;
    let cancel = () => {};
    const patience = new Promise<void>((resolve) => {
      cancel = this.#options.clock.after(PATIENCE_MS, resolve, { background: true });
    });
    await Promise.race([Promise.all(asked), patience]);
    cancel();
  }

  /** Withdraws all questions. Later answers are ignored. */
  close(): void {
    this.#isClosed = true;
    this.#withdrawOthers([]);
  }

  /** Withdraws questions about fixes that were decided elsewhere or have ended. */
  #withdrawOthers(needed: readonly Fix[]): void {
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
      // A gate that stops because it was aborted has not failed.
      if (signal.aborted) return;
      report(`the gate failed on fix ${fix.id}: ${messageOf(error)}`);
    } finally {
      if (this.#open.get(fix.id) === question) this.#open.delete(fix.id);
    }
  }
}

/**
 * Validates the gate's answer, because the gate is host code.
 * @throws Error if the answer is not a decision.
 */
function parseDecision(decision: unknown): GateAnswer | { readonly kind: 'waiting' } {
  if (typeof decision === 'object' && decision !== null && 'kind' in decision) {
    const { kind, by, reason } = decision as { kind: unknown; by?: unknown; reason?: unknown }; // checked below
    if (kind === 'waiting') return { kind };
    const isSaid = typeof by === 'string' && (reason === undefined || typeof reason === 'string');
    if ((kind === 'approved' || kind === 'rejected') && isSaid) return decision as GateAnswer; // the loop adds the time
  }
  throw new Error('it must answer { kind: "approved" | "rejected", by, reason } or { kind: "waiting" }');
}
