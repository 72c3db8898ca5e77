import type { Outcome, RootCause, RootCauses } from 'rsi-loop';
import { counted, moment, whole } from '../../reports/words/numbers.js';
import type { Look } from '../terminal/look.js';
import { paragraph, table } from '../terminal/page.js';
import { cut, plain } from '../terminal/terminal-text.js';

/** Number of events shown. */
const KEPT = 50;

/** Failure with its cause, as found by a rule or a model. */
export interface CauseEvent {
  readonly id: string;
  readonly atMs: number;
  readonly task: string;
  readonly issue: string;
  readonly cause: RootCause;
  readonly severity: string | null;
  readonly message: string;
}

/** Keeps the newest failures of a period, with the cause of each one's pattern. */
export class NewestEvents {
  readonly #causes: ReadonlyMap<string, RootCause>;
  #kept: CauseEvent[] = [];
  #count = 0;

  constructor({ causes }: RootCauses) {
    this.#causes = new Map(
      causes.flatMap(({ cause, patterns }) => patterns.map(({ task, issue }) => [`${task} ${issue}`, cause] as const)),
    );
  }

  add({ id, atMs, task, success, issues, severity, error, expected, actual }: Outcome): void {
    if (success) return;
    this.#count++;
    const issue = issues[0] ?? 'unknown';
    const got = actual === undefined ? '' : `got ${actual}${expected === undefined ? '' : `, expected ${expected}`}`;
    const cause = this.#causes.get(`${task} ${issue}`) ?? 'undetermined';
    this.#kept.push({ id, atMs, task, issue, cause, severity: severity ?? null, message: error?.message ?? got });
    if (this.#kept.length >= 2 * KEPT) this.#kept = [...this.all];
  }

  /** Events, newest first. */
  get all(): readonly CauseEvent[] {
    return [...this.#kept].sort((one, other) => other.atMs - one.atMs).slice(0, KEPT);
  }

  get count(): number {
    return this.#count;
  }
}

const COLUMNS = [
  { head: 'when' },
  { head: 'task', max: 20 },
  { head: 'issue', max: 16 },
  { head: 'cause' },
  { head: 'message' },
] as const;
/** Maximum characters shown of a message. */
const MAX_MESSAGE = 120;

/** Renders the events as a table, in lines of at most `width` columns; the message gets the remaining width. */
export function renderEvents({ all, count }: NewestEvents, look: Look): string {
  if (all.length === 0) return 'No failures in this time.\n';
  const rows = all.map(({ atMs, task, issue, cause, message }) => ({
    cells: [moment(atMs), plain(task), plain(issue), cause, cut(plain(message), MAX_MESSAGE)],
  }));
  const older = count - all.length;
  const more = `${whole(older)} older ones: ${look.next('export')} has all ${counted(count, 'failure')}`;
  return [...table(COLUMNS, rows, look), ...(older > 0 ? ['', ...paragraph(more, look)] : []), ''].join('\n');
}
