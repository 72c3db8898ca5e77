import type { Clock, Gate } from '../ports.js';
import type { Decision, Fix, FixId } from '../records.js';

export interface QuestionsOptions {
  readonly gate: Gate;
  readonly clock: Clock;
  /** Called for every answer but `waiting`, whenever it comes. */
  readonly onAnswer: (fix: Fix, decision: Exclude<Decision, { kind: 'waiting' }>) => Promise<void>;
  readonly report: (message: string) => void;
}

/** A gate that answers within this is heard in the same cycle; one that takes longer whenever it is done. */
const PATIENCE_MS = 50;

/** Asks the gate about fixes, one question at a time for each, and never lets a slow or broken gate hold up the loop. */
export class Questions {
  readonly #options: QuestionsOptions;
  readonly #open = new Map<FixId, AbortController>();

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  async ask(fixes: readonly Fix[]): Promise<void> {
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
    for (const question of this.#open.values()) question.abort();
    this.#open.clear();
  }

  async #ask(fix: Fix): Promise<void> {
    const { gate, onAnswer, report } = this.#options;
    const question = new AbortController();
    this.#open.set(fix.id, question);
    try {
      const decision = parseDecision(await gate.decide(fix, { signal: question.signal }));
      if (decision.kind !== 'waiting' && !question.signal.aborted) await onAnswer(fix, decision);
    } catch (error) {
      if (!question.signal.aborted) {
        report(`the gate failed on fix ${fix.id}: ${error instanceof Error ? error.message : String(error)}`);
      }
    } finally {
      if (this.#open.get(fix.id) === question) this.#open.delete(fix.id);
    }
  }
}

/** The gate is the host's code: what it answers is checked once. */
function parseDecision(decision: Decision): Decision {
  const isPlain = typeof decision === 'object' && decision !== null;
  if (isPlain && decision.kind === 'waiting') return decision;
  const isNamed = isPlain && (decision.kind === 'approved' || decision.kind === 'refused');
  if (isNamed && typeof decision.by === 'string') return decision;
  throw new Error('it must answer { kind: "approved" | "refused", by, atMs, reason } or { kind: "waiting", sinceMs }');
}
