import type { Arm } from '../contract/start.js';
import type { LaterFigures } from '../contract/verdict.js';
import { Recent, type RecentSnapshot } from './recent.js';

/** Limit on sessions whose earlier tasks are remembered. */
const MAX_SESSIONS = 1_000;
/** Standard errors from which later tasks are suspected to fail more after the fix. */
const SUSPECTED = 2;
/** Sessions before anything is suspected. */
const LEAST_SESSIONS = 10;
const PRIOR = { tasks: 20, failures: 4 };

type Counts = { tasks: number; failures: number };

/** Earlier tasks of a session by arm, and how far its later failures lean towards the fix. */
interface Session {
  readonly fix: number;
  readonly control: number;
  readonly lean: number;
}

export interface LaterTasksSnapshot {
  readonly sessions: RecentSnapshot<Session>;
  readonly own: Readonly<Record<Arm, Readonly<Counts>>>;
  readonly after: Readonly<Record<Arm, Readonly<Counts>>>;
  /** Sums over sessions: leans, their squares, and sessions with later tasks. */
  readonly lean: number;
  readonly squares: number;
  readonly of: number;
}

/**
 * Compares the later tasks of a session, up to its end, by the arms of all tasks before them. Each task counts against
 * the rate of its own arm, so only the arms of earlier tasks matter. Sessions count as a whole, because their tasks are
 * alike.
 */
export class LaterTasks {
  readonly #sessions: Recent<Session>;
  readonly #own: Readonly<Record<Arm, Counts>>;
  readonly #after: Readonly<Record<Arm, Counts>>;
  #lean: number;
  #squares: number;
  #of: number;

  constructor(snapshot?: LaterTasksSnapshot) {
    this.#sessions = new Recent(MAX_SESSIONS, snapshot?.sessions);
    this.#own = countsOf(snapshot?.own, PRIOR);
    this.#after = countsOf(snapshot?.after, { tasks: 0, failures: 0 });
    this.#lean = snapshot?.lean ?? 0;
    this.#squares = snapshot?.squares ?? 0;
    this.#of = snapshot?.of ?? 0;
  }

  /** Adds the next task of a session, with the share that its trial draws. */
  add(session: string, { arm, share }: { readonly arm: Arm; readonly share: number }, failed: boolean): void {
    const known = this.#sessions.get(session);
    const own = this.#own[arm];
    if (known) {
      const { fix, control, lean } = known;
      const expected = own.failures / own.tasks;
      const added = (fix - share * (fix + control)) * ((failed ? 1 : 0) - expected);
      this.#count('fix', fix, failed);
      this.#count('control', control, failed);
      this.#lean += added;
      this.#squares += (lean + added) ** 2 - lean ** 2;
      if (fix + control === 1) this.#of++;
      this.#sessions.delete(session);
      this.#sessions.set(session, { ...known, [arm]: known[arm] + 1, lean: lean + added });
    } else this.#sessions.set(session, { fix: 0, control: 0, lean: 0, [arm]: 1 });
    own.tasks++;
    if (failed) own.failures++;
  }

  /** Whether later tasks seem to fail more after the fix than after control. */
  get isSuspected(): boolean {
    return this.#of >= LEAST_SESSIONS && this.#lean > SUSPECTED * Math.sqrt(this.#squares);
  }

  /** Whether any task belonged to a session. */
  get isUsed(): boolean {
    return this.#own.fix.tasks + this.#own.control.tasks > 2 * PRIOR.tasks;
  }

  /** Later tasks, counted once for each task before them in their session; undefined if none followed another. */
  get figures(): LaterFigures | undefined {
    if (this.#of === 0) return undefined;
    return { fix: { ...this.#after.fix }, control: { ...this.#after.control } };
  }

  snapshot(): LaterTasksSnapshot {
    return {
      sessions: this.#sessions.snapshot(),
      own: countsOf(this.#own, PRIOR),
      after: countsOf(this.#after, PRIOR),
      lean: this.#lean,
      squares: this.#squares,
      of: this.#of,
    };
  }

  #count(arm: Arm, before: number, failed: boolean): void {
    this.#after[arm].tasks += before;
    if (failed) this.#after[arm].failures += before;
  }
}

function countsOf(known: Readonly<Record<Arm, Readonly<Counts>>> | undefined, prior: Counts): Record<Arm, Counts> {
  return { fix: { ...(known?.fix ?? prior) }, control: { ...(known?.control ?? prior) } };
}
