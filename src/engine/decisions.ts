import { LoopError } from '../contract/errors.js';
import type { Fix, FixStatus } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { GateAnswer } from '../fix/questions.js';
import type { LedgerState } from '../ledger/reduce.js';
import { showValue } from '../lib/text.js';
import { withinTime } from '../lib/within-time.js';
import { sanitizeName, sanitizeText } from '../observe/sanitize.js';
import { answerRepeat, mustBeRepeatable } from './answer-repeat.js';
import type { Answer } from './check-arguments.js';
import type { Components } from './components.js';

/** Maximum time to wait for the store to write a freeze, in milliseconds. */
const FREEZE_LIMIT_MS = 60_000;

export interface DecisionPorts {
  readonly components: () => Components;
  /** Resolves when all stored records have been read. */
  readonly caughtUp: () => Promise<void>;
  /** Writes or removes the rule of a fix without waiting for the next cycle. */
  readonly syncFile: (fix: Fix) => Promise<void>;
  /** Stops all trials of this process while there is a reason. */
  readonly holdTrials: (reason: string | undefined) => void;
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
    mustBeRepeatable(this.#ports.components(), this.requireFix(id));
    await this.#move(id, () => 'applied-unverified', by, reason);
    await this.#ports.syncFile(this.requireFix(id));
    return this.requireFix(id);
  }

  async answerRepeat(task: string, mayRepeat: boolean, answer: Answer): Promise<void> {
    await this.#ports.caughtUp();
    return answerRepeat(this.#ports.components(), task, mayRepeat, answer);
  }

  async rollback(id: string, { by, reason = 'rolled back by hand' }: Answer): Promise<Fix> {
    await this.#ports.components().ledger.follow();
    await this.#move(id, () => 'rolled-back', by, reason);
    await this.#ports.syncFile(this.requireFix(id));
    return this.requireFix(id);
  }

  async freeze({ by, reason = 'frozen by hand' }: Answer): Promise<void> {
    const { clock, ledger, noTrials } = this.#ports.components();
    // Takes effect in this process immediately, even if the store hangs. Once stored, the ledger's entry takes over.
    this.#ports.holdTrials(`${reason} (${by})`);
    const kept = ledger.append(({ active }) => {
      const move = { kind: 'fix-moved', atMs: clock.now(), by, to: 'rolled-back', reason } as const;
      const onTrial = [...active.values()].filter(({ status }) => status === 'trial');
      return [
        { kind: 'frozen', atMs: move.atMs, by, reason },
        ...onTrial.map(({ id: fixId }): LedgerEntry => ({ ...move, fixId })),
      ];
    });
    await withinTime(clock, kept, FREEZE_LIMIT_MS, () => {
      throw new LoopError('store-failed', `the store did not keep the freeze within ${FREEZE_LIMIT_MS / 1000} s`);
    });
    this.#ports.holdTrials(noTrials);
  }

  frozen(): LedgerState['frozen'] {
    return this.#ports.components().ledger.state.frozen;
  }

  async unfreeze({ by, reason = 'unfrozen by hand' }: Answer): Promise<void> {
    await this.#ports
      .components()
      .ledger.append(() => [{ kind: 'unfrozen', atMs: this.#ports.components().clock.now(), by, reason }]);
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
      const fix = this.requireFix(id);
      const next = to(fix);
      return next ? [{ kind: 'fix-moved', atMs: clock.now(), by, fixId: fix.id, to: next, reason }] : [];
    });
    return this.requireFix(id);
  }

  /** Returns the fix with this id. @throws LoopError `unknown-fix` if the ledger has no such fix. */
  requireFix(id: string): Fix {
    const fix = this.#ports.components().ledger.state.fixes.get(id as FixId); // an invalid id finds nothing
    if (fix) return fix;
    throw new LoopError('unknown-fix', `no fix ${showValue(id)}: take an id from loop.fixes(), after loop.ready()`);
  }
}

/**
 * Maps a decision to the fix's next status.
 * @throws LoopError `illegal-step` for an approval while a trial runs, because only the trial's verdict counts.
 */
function answered({ id, status, verdict }: Fix, kind: 'approved' | 'rejected'): FixStatus {
  if (status === 'applied-unverified') return kind === 'approved' ? status : 'rolled-back';
  if (status !== 'trial') return kind;
  if (kind === 'rejected') return 'rolled-back';
  if (verdict?.kind === 'inconclusive') return 'applied-unverified';
  throw new LoopError('illegal-step', `fix ${id} is already on trial: wait for its verdict, or roll it back`);
}
