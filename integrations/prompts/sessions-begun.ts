import type { JournalRecord } from 'rsi-loop';

/** Sessions remembered, of each of two generations. */
const MAX_SESSIONS = 10_000;

/** Start times of the newest sessions, so that a session keeps the texts it began with. */
export class SessionsBegun {
  #older = new Map<string, number>();
  #newer = new Map<string, number>();

  readonly #isNeeded: () => boolean;

  /** Sessions are noted only while they are needed: when there are texts. */
  constructor(isNeeded: () => boolean) {
    this.#isNeeded = isNeeded;
  }

  /** Notes when the sessions of recorded tasks began, also those of other processes. */
  absorb(records: readonly JournalRecord[]): void {
    if (!this.#isNeeded()) return;
    for (const record of records) {
      const { session, atMs } = record.kind === 'start' ? record.start : record.outcome;
      const tookMs = record.kind === 'start' ? 0 : (record.outcome.durationMs ?? 0);
      if (session !== undefined) this.note(session, atMs - tookMs);
    }
  }

  /** Returns when the session began; undefined if unknown. */
  of(session: string): number | undefined {
    return this.#newer.get(session) ?? this.#older.get(session);
  }

  /** Returns when the session began: the earliest time that was noted for it. */
  note(session: string, atMs: number): number {
    const known = this.of(session);
    const beganMs = known === undefined ? atMs : Math.min(known, atMs);
    if (beganMs !== this.#newer.get(session)) this.#newer.set(session, beganMs);
    if (this.#newer.size >= MAX_SESSIONS) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    return beganMs;
  }
}
