import { crc32 } from 'node:zlib';
import type { FieldProblem, Issue, Outcome, OutcomeId, RSILoop } from 'rsi-loop';
import { Problem } from '../../http/http-problem.js';
import { RecentIds } from '../recent-ids.js';
import { GroupCommit } from './group-commit.js';
import type { OpenTasks } from './open-tasks.js';

/** Result of receiving one outcome. */
export type Received =
  | {
      readonly kind: 'taken' | 'known';
      readonly id: OutcomeId;
      readonly issues: readonly Issue[];
      /** Fields that could not be read; the rest was recorded. */
      readonly problems: readonly FieldProblem[];
    }
  | { readonly kind: 'refused'; readonly problems: readonly FieldProblem[] }
  /** The id was already used for different content. */
  | { readonly kind: 'conflict'; readonly id: OutcomeId };

/** Number of waiting records at which the store cannot keep up. The loop starts to sample at twice as many. */
const MAX_QUEUED = 25_000;

/**
 * Ingest of outcomes: parses them, detects repeated ids and records them. Answers are sent once records are durable.
 */
export class Ingest {
  readonly #loop: RSILoop;
  readonly #ids: RecentIds;
  readonly #commits: GroupCommit;
  readonly #tasks: OpenTasks;
  accepted = 0;
  refused = 0;
  known = 0;

  constructor(loop: RSILoop, tasks: OpenTasks, rememberedIds: number) {
    this.#loop = loop;
    this.#tasks = tasks;
    this.#ids = new RecentIds(rememberedIds);
    this.#commits = new GroupCommit(() => loop.flush());
  }

  /**
   * Receives any value as one outcome. If it has no id it gets `key`, so that senders can repeat requests. The id of an
   * open task is accepted from the sender that began it, and ends the task.
   */
  receive(item: unknown, sender: string, key?: string): Received {
    const { outcome, problems } = this.#loop.observer.read(item);
    if (outcome === undefined) return this.#refuse(problems);
    if (outcome.id === '') {
      if (key === undefined) return this.#take(outcome, problems);
      return this.takeOnce({ ...outcome, id: key as OutcomeId }, item, problems); // an outcome's id is any text used once
    }
    const begun = this.#tasks.get(outcome.id);
    if (begun && (begun.sender === undefined || begun.sender === sender))
      return this.end(outcome.id, { ...Object(item) });
    if (begun || this.#loop.observer.isBegun(outcome.id))
      return this.#refuse([{ field: 'id', value: outcome.id, expected: OWN_ID }]);
    return this.takeOnce(outcome, item, problems);
  }

  /** Records the end of a task: one that was begun here, or any other if the end names its task. */
  end(id: OutcomeId, sent: Readonly<Record<string, unknown>>): Received {
    const { outcome, problems } = this.#tasks.outcomeOf(id, sent, { hasEnded: this.knows(id) });
    if (outcome === undefined) return this.#refuse(problems);
    const received = this.takeOnce(outcome, sent, problems);
    if (received.kind !== 'conflict') this.#tasks.delete(id);
    return received;
  }

  /** Records an outcome unless its id was received before. `sent` is compared to detect different content. */
  takeOnce(outcome: Outcome, sent: unknown, problems: readonly FieldProblem[] = []): Received {
    // If the content is too deeply nested to serialise, the parsed outcome is compared, which is shallow.
    const mark = markOf(sent) ?? markOf({ ...outcome, atMs: 0 }) ?? 0;
    if (this.#ids.add(outcome.id, mark)) return this.#take(outcome, problems);
    if (this.#ids.get(outcome.id) !== mark) {
      this.refused++;
      return { kind: 'conflict', id: outcome.id };
    }
    this.known++;
    return { kind: 'known', id: outcome.id, issues: outcome.issues, problems };
  }

  /** Returns true if an outcome with this id was received. */
  knows(id: string): boolean {
    return this.#ids.get(id) !== undefined;
  }

  /** Resolves when everything received so far is as durable as the store can make it. */
  safe(): Promise<void> {
    return this.#commits.reach();
  }

  /** True if so many records wait that senders should wait too. */
  get isFull(): boolean {
    return this.#loop.store.journal.queued >= MAX_QUEUED;
  }

  /**
   * Rejects new records while the store cannot keep up, so that no accepted record is lost.
   * @throws Problem 503
   */
  mustKeepUp(): void {
    if (!this.isFull) return;
    throw new Problem(503, 'the store cannot keep up: send it again in a moment', { retryAfterS: 1 });
  }

  #refuse(problems: readonly FieldProblem[]): Received {
    this.refused++;
    return { kind: 'refused', problems };
  }

  #take(outcome: Outcome, problems: readonly FieldProblem[]): Received {
    const taken = this.#loop.observer.take(outcome);
    if (taken === undefined)
      throw new Problem(500, 'the outcome could not be recorded: the log of the server says more');
    this.accepted++;
    return { kind: 'taken', id: taken.id, issues: taken.issues, problems };
  }
}

const OWN_ID = 'an id of your own: another sender began this task, and it alone ends it';

/** Returns a checksum of the content, equal for equal JSON; `undefined` if it is too deeply nested. */
export function markOf(sent: unknown): number | undefined {
  try {
    return crc32(JSON.stringify(sent) ?? '');
  } catch {
    return undefined;
  }
}
