import type { Json, RSILoop } from 'rsi-loop';
import type { Saved } from 'rsi-loop/testing';
import type { Sent } from './matters.js';

/** Alerts that were sent, as the store keeps them: keys and times, without recorded text. */
export interface SentState {
  readonly sent: Sent;
  /** Local date of the newest digest. */
  readonly digestDate?: string;
}

const NAME = 'alerts';
const ATTEMPTS = 5;

/**
 * Memory of sent alerts in the snapshots of the loop's store. Saving is a compare-and-set, so that of several processes
 * only one sends an alert. If the store fails, this process remembers.
 */
export class SentLog {
  readonly #loop: RSILoop;
  /** Last known state. It survives an erasure, which deletes every snapshot. */
  #known: SentState | undefined;
  /** True after a failed save: the store then holds an older state. */
  #isUnsaved = false;

  constructor(loop: RSILoop) {
    this.#loop = loop;
  }

  /** Applies `decide` to the current state, and returns its result once the new state is saved. */
  async claim<Result>(decide: (state: SentState | undefined) => { next: SentState; result: Result }): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      // The loop reports the problems of its store. Alerts about them must still be sent.
      const saved = await this.#load().catch(() => undefined);
      const state = saved && !this.#isUnsaved ? stateOf(saved.value) : this.#known;
      const { next, result } = decide(state);
      const isSame = saved !== undefined && !this.#isUnsaved && JSON.stringify(state) === JSON.stringify(next);
      const isSaved = isSame || (await this.#save(next, saved?.version ?? 0));
      if (isSaved || attempt === ATTEMPTS) {
        this.#known = next;
        return result;
      }
    }
  }

  #load(): Promise<Saved | undefined> {
    return this.#loop.store.snapshots.load(NAME);
  }

  /** Returns false if another process saved first. If the store fails, this process remembers. */
  async #save(next: SentState, after: number): Promise<boolean> {
    try {
      const isSaved = await this.#loop.store.snapshots.save(NAME, { ...next }, after);
      if (isSaved) this.#isUnsaved = false;
      return isSaved;
    } catch {
      this.#isUnsaved = true;
      return true;
    }
  }
}

function stateOf(value: Json): SentState {
  const { sent, digestDate } = (value ?? {}) as { readonly sent?: unknown; readonly digestDate?: unknown };
  const entries = Object.entries(sent ?? {}).filter(([, atMs]) => typeof atMs === 'number');
  return {
    sent: Object.fromEntries(entries) as Sent, // numbers only, filtered above
    ...(typeof digestDate === 'string' && { digestDate }),
  };
}
