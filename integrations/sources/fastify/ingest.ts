import { crc32 } from 'node:zlib';
import type { FieldProblem, Issue, Outcome, OutcomeId, RSILoop } from 'rsi-loop';
import { GroupCommit } from './group-commit.js';
import { Problem } from './problem.js';
import { RecentIds } from './recent-ids.js';

/** What became of one outcome that was sent. */
export type Received =
  | {
      readonly kind: 'taken' | 'known';
      readonly id: OutcomeId;
      readonly issues: readonly Issue[];
      /** Fields that could not be read; the rest was taken. */
      readonly problems: readonly FieldProblem[];
    }
  | { readonly kind: 'refused'; readonly problems: readonly FieldProblem[] }
  /** Something else came under this id before. */
  | { readonly kind: 'conflict'; readonly id: OutcomeId };

/** So many records waiting mean that the store cannot keep up; the loop would begin to sample at twice as many. */
const MAX_QUEUED = 25_000;

/** Where outcomes come in: read, known again by their ids, recorded, and safe when somebody is told so. */
export class Ingest {
  readonly #loop: RSILoop;
  readonly #ids: RecentIds;
  readonly #safePoint: GroupCommit;
  accepted = 0;
  refused = 0;
  known = 0;

  constructor(loop: RSILoop, rememberedIds: number) {
    this.#loop = loop;
    this.#ids = new RecentIds(rememberedIds);
    this.#safePoint = new GroupCommit(() => loop.flush());
  }

  /** Whatever was sent as one outcome. `key`: the id it gets when it has none, for senders that repeat requests. */
  receive(item: unknown, key?: string): Received {
    const { outcome, problems } = this.#loop.observer.read(item);
    if (outcome === undefined) {
      this.refused++;
      return { kind: 'refused', problems };
    }
    if (outcome.id !== '') return this.takeOnce(outcome, item, problems);
    if (key === undefined) return this.#take(outcome, problems);
    return this.takeOnce({ ...outcome, id: key as OutcomeId }, item, problems); // an outcome's id is any text used once
  }

  /** Takes an outcome unless it came before under the same id. `sent` is what is compared. */
  takeOnce(outcome: Outcome, sent: unknown, problems: readonly FieldProblem[] = []): Received {
    // What is nested too deeply to be written is told apart by what was read of it, which is shallow.
    const mark = markOf(sent) ?? markOf({ ...outcome, atMs: 0 }) ?? 0;
    const known = this.#ids.get(outcome.id);
    if (known === undefined) {
      this.#ids.add(outcome.id, mark);
      return this.#take(outcome, problems);
    }
    if (known !== mark) {
      this.refused++;
      return { kind: 'conflict', id: outcome.id };
    }
    this.known++;
    return { kind: 'known', id: outcome.id, issues: outcome.issues, problems };
  }

  /** Whether something came under this id. */
  knows(id: string): boolean {
    return this.#ids.get(id) !== undefined;
  }

  /** Resolves when everything received so far is as safe as the store can make it. */
  safe(): Promise<void> {
    return this.#safePoint.reach();
  }

  /** Whether so much waits that a sender should wait as well. */
  get isBehind(): boolean {
    return this.#loop.store.queued >= MAX_QUEUED;
  }

  /** @throws Problem 503 while the store cannot keep up: what is not taken cannot be lost. */
  mustKeepUp(): void {
    if (!this.isBehind) return;
    throw new Problem(503, 'the store cannot keep up: send it again in a moment', { retryAfterS: 1 });
  }

  #take(outcome: Outcome, problems: readonly FieldProblem[]): Received {
    const taken = this.#loop.observer.take(outcome);
    if (taken === undefined)
      throw new Problem(500, 'the outcome could not be recorded: the log of the server says more');
    this.accepted++;
    return { kind: 'taken', id: taken.id, issues: taken.issues, problems };
  }
}

/** Tells apart what was sent: the same for the same JSON; `undefined` for what is nested too deeply. */
export function markOf(sent: unknown): number | undefined {
  try {
    return crc32(JSON.stringify(sent) ?? '');
  } catch {
    return undefined;
  }
}
