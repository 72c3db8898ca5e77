import { LoopError } from '../contract/errors.js';
import type { Fix, FixStatus } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { TrialFigures } from '../contract/verdict.js';
import type { GateAnswer } from '../fix/questions.js';
import { canReconsider } from '../ledger/legal-steps.js';
import type { Answer } from '../live/check-arguments.js';
import { requireFix } from '../live/loop-state.js';
import { sanitizeName, sanitizeText } from '../observe/sanitize.js';
import { answerRepeat, mustBeRepeatable } from './answer-repeat.js';
import type { Components } from './components.js';

export interface DecisionPorts {
  readonly components: () => Components;
  /** Whether stored records are still being read, so that figures of trials are incomplete. */
  readonly isReading: () => boolean;
  /** Resolves when all stored records have been read. */
  readonly caughtUp: () => Promise<void>;
  /** Writes or removes the rule of a fix without waiting for the next cycle. */
  readonly syncFile: (fix: Fix) => Promise<void>;
}

/**
 * Decisions of people and of the host on fixes. Each is checked against the newest state and appended to the ledger.
 */
export class Decisions {
  readonly #ports: DecisionPorts;

  constructor(ports: DecisionPorts) {
    this.#ports = ports;
  }

  async decide(id: string, kind: 'approved' | 'rejected', { by, reason }: Answer): Promise<Fix> {
    await this.#ports.components().ledger.follow();
    return this.#move(id, (fix) => answered(fix, kind), by, reason ?? `${kind} by ${by}`);
  }

  async apply(id: string, { by, reason = `applied immediately by ${by}` }: Answer): Promise<Fix> {
    await this.#ports.caughtUp();
    await this.#ports.components().ledger.follow();
    mustBeRepeatable(this.#ports.components(), this.#require(id));
    await this.#move(id, () => 'applied-unverified', by, reason);
    await this.#ports.syncFile(this.#require(id));
    return this.#require(id);
  }

  async answerRepeat(task: string, mayRepeat: boolean, answer: Answer): Promise<void> {
    await this.#ports.caughtUp();
    return answerRepeat(this.#ports.components(), task, mayRepeat, answer);
  }

  async rollback(id: string, { by, reason = 'rolled back by hand' }: Answer): Promise<Fix> {
    await this.#ports.components().ledger.follow();
    await this.#move(id, () => 'rolled-back', by, reason);
    await this.#ports.syncFile(this.#require(id));
    return this.#require(id);
  }

  async reconsider(id: string, { by, reason = 'proposed again by hand' }: Answer): Promise<Fix> {
    await this.#ports.components().ledger.follow();
    return this.#move(id, toProposed, by, reason);
  }

  /** Returns the evidence of a trial that ends now, for its entry. */
  #figuresOf(fixId: FixId): { readonly figures?: TrialFigures } {
    const figures = this.#ports.isReading() ? undefined : this.#ports.components().verifier.figures(fixId);
    return figures ? { figures } : {};
  }

  /** Ignores a gate's answer if the fix has changed status since it was asked. */
  async receiveAnswer({ id, status }: Fix, { kind, by, reason = `${kind} by ${by}` }: GateAnswer): Promise<boolean> {
    let isHeard = false;
    const to = (fix: Fix) => {
      isHeard = fix.status === status;
      return isHeard ? answered(fix, kind) : undefined;
    };
    await this.#move(id, to, sanitizeName(by), sanitizeText(reason));
    return isHeard;
  }

  async #move(id: string, to: (fix: Fix) => FixStatus | undefined, by: string, reason: string): Promise<Fix> {
    const { clock, ledger } = this.#ports.components();
    await ledger.append(() => {
      const fix = this.#require(id);
      const next = to(fix);
      if (!next) return [];
      const ends = fix.status === 'trial' && next === 'rolled-back' && fix.verdict === undefined;
      const evidence = ends ? this.#figuresOf(fix.id) : {};
      return [{ kind: 'fix-moved', atMs: clock.now(), by, fixId: fix.id, to: next, reason, ...evidence }];
    });
    return this.#require(id);
  }

  #require(id: string): Fix {
    return requireFix(this.#ports.components(), id);
  }
}

/** @throws LoopError `illegal-step` for an open fix, and for one that its trial rejected. */
function toProposed(fix: Fix): FixStatus {
  if (canReconsider(fix)) return 'proposed';
  const { id, status, verdict } = fix;
  const why =
    status === 'rolled-back' && verdict ? `its trial ended "${verdict.kind}"` : 'no person decided against it';
  throw new LoopError('illegal-step', `fix ${id} is ${status} and cannot be proposed again: ${why}`);
}

/**
 * Maps a decision to the fix's next status.
 * @throws LoopError `illegal-step` for an approval while a trial runs, because only the trial's verdict counts.
 */
function answered({ id, status, verdict }: Fix, kind: 'approved' | 'rejected'): FixStatus {
  if (status === 'applied-unverified' || status === 'reopened') return kind === 'approved' ? status : 'rolled-back';
  if (status !== 'trial') return kind;
  if (kind === 'rejected') return 'rolled-back';
  if (verdict?.kind === 'inconclusive') return 'applied-unverified';
  throw new LoopError('illegal-step', `fix ${id} is already on trial: wait for its verdict, or roll it back`);
}
