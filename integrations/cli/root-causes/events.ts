import type { Outcome, RootCause, RootCauses } from 'rsi-loop';
import { counted, moment, whole } from '../terminal/numbers.js';
import type { Paint } from '../terminal/paint.js';
import { columns, cut, padEnd, plain } from '../terminal/text.js';

/** Number of events shown. */
const KEPT = 50;
const MAX_TASK = 20;
const MAX_ISSUE = 16;

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
    const told = actual === undefined ? '' : `got ${actual}${expected === undefined ? '' : `, expected ${expected}`}`;
    const cause = this.#causes.get(`${task} ${issue}`) ?? 'undetermined';
    this.#kept.push({ id, atMs, task, issue, cause, severity: severity ?? null, message: error?.message ?? told });
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

/** Renders a line per event, in at most `width` columns; the message gets the remaining width. */
export function renderEvents(
  { all, count }: NewestEvents,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string {
  if (all.length === 0) return 'No failures in this time.\n';
  const rows = all.map((event) => [
    moment(event.atMs),
    cut(plain(event.task), MAX_TASK),
    cut(plain(event.issue), MAX_ISSUE),
    event.cause,
    plain(event.message),
  ]);
  const heads = ['when', 'task', 'issue', 'cause', 'message'];
  const widths = heads.map((head, at) => Math.max(columns(head), ...rows.map((row) => columns(row[at] ?? ''))));
  const line = (cells: readonly string[]) =>
    cut(
      cells.map((cell, at) => (at === cells.length - 1 ? cell : padEnd(cell, widths[at] ?? 0))).join('  '),
      width,
    ).trimEnd();
  const more = count - all.length;
  return [
    paint('dim', line(heads)),
    ...rows.map(line),
    ...(more > 0 ? ['', `${whole(more)} older ones: rsi export has all ${counted(count, 'failure')}`] : []),
    '',
  ].join('\n');
}
