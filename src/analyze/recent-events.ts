import type { Json } from '../contract/json.js';
import type { Outcome } from '../contract/outcome.js';
import { hashUnit } from '../lib/hash.js';

/** Occurrences kept per pattern: enough to detect a link, few enough to compare many pairs per cycle. */
const KEPT = 128;

/** Latest occurrences of a pattern, in order of time. */
export class RecentEvents {
  #times: number[] = [];
  /** Hash of the session; -1 without a session. */
  #sessions: number[] = [];
  #dropped = false;

  add(outcome: Outcome): void {
    const session = outcome.session === undefined ? -1 : hashUnit(outcome.session);
    this.#insert(outcome.atMs, session);
  }

  addAll(other: RecentEvents): void {
    this.#dropped ||= other.#dropped;
    other.#times.forEach((atMs, index) => {
      this.#insert(atMs, other.#sessions[index] ?? -1);
    });
  }

  get times(): readonly number[] {
    return this.#times;
  }
  get sessions(): readonly (number | undefined)[] {
    return this.#sessions.map((session) => (session < 0 ? undefined : session));
  }
  /** Time from which the occurrences are complete. */
  get sinceMs(): number {
    return this.#dropped ? (this.#times[0] ?? 0) : Number.NEGATIVE_INFINITY;
  }

  snapshot(): Json {
    return [[...this.#times], [...this.#sessions], this.#dropped];
  }

  static restore(kept: Json): RecentEvents {
    // Earlier releases saved an object.
    const parts = Array.isArray(kept) ? kept : Object.values(kept ?? {});
    const [times, sessions, dropped] = parts as [readonly number[], readonly number[], boolean];
    const events = new RecentEvents();
    events.#times = [...times];
    events.#sessions = [...sessions];
    events.#dropped = dropped;
    return events;
  }

  #insert(atMs: number, session: number): void {
    let at = this.#times.length;
    while (at > 0 && (this.#times[at - 1] ?? 0) > atMs) at--;
    if (at === this.#times.length) {
      this.#times.push(atMs);
      this.#sessions.push(session);
    } else {
      this.#times.splice(at, 0, atMs);
      this.#sessions.splice(at, 0, session);
    }
    if (this.#times.length <= KEPT) return;
    this.#times.shift();
    this.#sessions.shift();
    this.#dropped = true;
  }
}
