import type { Outcome } from 'rsi-loop';

/** Maximum number of task and issue pairs whose places and messages are kept. */
const MAX_CELLS = 5_000;
const KEPT_PLACES = 3;
/** Messages counted per task and issue: the first ones, each counted exactly. */
const MAX_MESSAGES = 200;
export const MESSAGE_CHARS = 300;

/** File to open, and the session in it. */
export interface PlaceToOpen {
  readonly file: string;
  readonly session: string | null;
}

interface Cell {
  /** One place per session and file, the newest last. */
  places: (PlaceToOpen & { readonly atMs: number })[];
  readonly messages: Map<string, number>;
}

/** Records, per task and issue, where the newest failures are and how often each message occurred. */
export class Places {
  readonly #cells = new Map<string, Cell>();

  absorb(outcome: Outcome, file: string): void {
    if (outcome.success) return;
    for (const issue of outcome.issues.length > 0 ? outcome.issues : ['unknown']) {
      const cell = this.#cellFor(taskIssueKey(outcome.task, issue));
      if (cell === undefined) continue;
      keep(cell, { file, session: outcome.session ?? null, atMs: outcome.atMs });
      const message = saidOf(outcome);
      if (message === undefined || (!cell.messages.has(message) && cell.messages.size >= MAX_MESSAGES)) continue;
      cell.messages.set(message, (cell.messages.get(message) ?? 0) + (outcome.weight ?? 1));
    }
  }

  /** Returns the places of the newest failures of this task and issue, newest first. */
  open(task: string, issue: string): readonly PlaceToOpen[] {
    const places = this.#cells.get(taskIssueKey(task, issue))?.places ?? [];
    return places.map(({ file, session }) => ({ file, session })).reverse();
  }

  /** Returns how often failures of this task and issue had exactly this message; undefined if it was not counted. */
  count(task: string, issue: string, message: string): number | undefined {
    return this.#cells.get(taskIssueKey(task, issue))?.messages.get(message);
  }

  /** Returns the messages of the failures of this task and issue, the most frequent first. */
  said(task: string, issue: string): readonly { readonly text: string; readonly count: number }[] {
    const messages = [...(this.#cells.get(taskIssueKey(task, issue))?.messages ?? [])];
    return messages.map(([text, count]) => ({ text, count })).sort((one, other) => other.count - one.count);
  }

  #cellFor(key: string): Cell | undefined {
    const known = this.#cells.get(key);
    if (known || this.#cells.size >= MAX_CELLS) return known;
    const cell = { places: [], messages: new Map<string, number>() };
    this.#cells.set(key, cell);
    return cell;
  }
}

function saidOf({ error, expected, actual }: Outcome): string | undefined {
  if (error !== undefined) return error.message.slice(0, MESSAGE_CHARS);
  if (expected === undefined || actual === undefined) return actual?.slice(0, MESSAGE_CHARS);
  const half = MESSAGE_CHARS / 2;
  return `expected ${expected.slice(0, half)}, got ${actual.trim() === '' ? 'nothing' : actual.slice(0, half)}`;
}

function keep(cell: Cell, place: PlaceToOpen & { readonly atMs: number }): void {
  const others = cell.places.filter(({ file, session }) => file !== place.file || session !== place.session);
  const same = cell.places.find(({ file, session }) => file === place.file && session === place.session);
  const newest = same && same.atMs > place.atMs ? same : place;
  cell.places = [...others, newest].sort((one, other) => one.atMs - other.atMs).slice(-KEPT_PLACES);
}

function taskIssueKey(task: string, issue: string): string {
  return `${task}\u0000${issue}`;
}
