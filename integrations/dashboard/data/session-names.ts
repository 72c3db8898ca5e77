import type { RSILoop } from 'rsi-loop';
import { cleaning } from 'rsi-loop/kit';
import { filesOfSessions, readFirstRequest } from 'rsi-loop/sources/import';
import type { SessionRow } from '../session-views.js';

const MAX_NAME = 120;
/** Names in memory. */
const MAX_KEPT = 5_000;
/** Files that are read at a time. */
const AT_ONCE = 8;

/** Words that Claude Code puts before a plan which a person has accepted, and marks of headings. */
const BEFORE_SUBJECT = /^\s*(?:Implement the following plan:\s*)?(?:#+\s*)?(?:Plan:\s*)?/;

/** Names of imported sessions: the first request of each, redacted. They are in memory only. */
export class SessionNames {
  readonly #loop: RSILoop;
  readonly #names = new Map<string, string>();

  constructor(loop: RSILoop) {
    this.#loop = loop;
  }

  /** Adds the names to rows of sessions. Sessions that were not imported from a transcript have none. */
  async addTo(rows: readonly SessionRow[]): Promise<readonly SessionRow[]> {
    const unknown = rows.filter(({ id }) => !this.#names.has(id));
    const files = unknown.length === 0 ? new Map<string, readonly string[]>() : await filesOfSessions(this.#loop.store);
    const toRead = unknown.flatMap(({ id }) => {
      const [first] = files.get(id) ?? [];
      return first === undefined ? [] : [{ id, first }];
    });
    for (let from = 0; from < toRead.length; from += AT_ONCE) {
      await Promise.all(toRead.slice(from, from + AT_ONCE).map(({ id, first }) => this.#read(id, first)));
    }
    return rows.map((row) => {
      const name = this.#names.get(row.id);
      return name === undefined ? row : { ...row, name };
    });
  }

  /** Forgets all names, because records were erased. */
  reset(): void {
    this.#names.clear();
  }

  async #read(id: string, file: string): Promise<void> {
    const request = await readFirstRequest(file).catch(() => undefined);
    if (request === undefined) return;
    if (this.#names.size >= MAX_KEPT) this.#names.clear();
    this.#names.set(id, cleaning.sanitizeText(subjectOf(request), MAX_NAME));
  }
}

/** Returns the first line of a request that says something. */
function subjectOf(request: string): string {
  const subject = request.replace(BEFORE_SUBJECT, '');
  return subject.split('\n', 1)[0]?.trim() || request;
}
