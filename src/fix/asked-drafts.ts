import type { Clock } from '../contract/clock.js';
import type { Pattern } from '../contract/pattern.js';
import { recordedText } from '../lib/recorded-text.js';
import { messageOf } from '../lib/text.js';

/** Author of drafts, usually a model. */
export interface Writer<Question> {
  /** Name used in reports and proposals. */
  readonly name: string;
  write(question: Question, options: { readonly signal: AbortSignal }): Promise<readonly unknown[]>;
}

export interface AskedDraftsOptions<Question, Draft> {
  readonly writer: Writer<Question>;
  readonly clock: Clock;
  /** Kind of draft in reports, e.g. `rule`. */
  readonly noun: string;
  /** Ending of a report that there is no draft, e.g. `the templates are used`. */
  readonly otherwise: string;
  /** Reads one draft, which comes from outside. Returns the reason if it is rejected. */
  readonly read: (draft: unknown, question: Question) => Draft | string;
  readonly report: (message: string) => void;
  /** Time-out of a question, in milliseconds. Default 2 minutes. */
  readonly timeoutMs?: number;
  /** Drafts of one answer that are read. Default 3. */
  readonly maxDrafts?: number;
}

/** How long a cycle waits for a writer. A later cycle uses later answers. */
const PATIENCE_MS = 50;
const TIMEOUT_MS = 120_000;
const MAX_DRAFTS = 3;
const MAX_OPEN = 4;
const MAX_KEPT = 200;
/** Time after which a pattern is asked about again, so that a writer that was down gets another chance. */
const AGAIN_MS = 24 * 3_600_000;

interface Answer<Draft> {
  readonly drafts: readonly Draft[];
  /** Reason why there are none; absent if the writer had nothing better. */
  readonly problem?: string;
  readonly atMs: number;
}

/**
 * Asks a writer about each pattern at most once a day, and caches its drafts. A slow or broken writer blocks nothing.
 */
export class AskedDrafts<Question extends { readonly pattern: Pattern }, Draft extends object> {
  readonly #options: AskedDraftsOptions<Question, Draft>;
  readonly #answers = new Map<string, Answer<Draft>>();
  readonly #open = new Map<string, AbortController>();

  constructor(options: AskedDraftsOptions<Question, Draft>) {
    this.#options = options;
  }

  /** Asks about the patterns without a recent question, in the given order. */
  async ask(questions: readonly Question[]): Promise<void> {
    const { clock } = this.#options;
    const asked: Promise<void>[] = [];
    for (const question of questions) {
      if (this.#open.size >= MAX_OPEN) break;
      const { id } = question.pattern;
      const known = this.#answers.get(id);
      if (this.#open.has(id) || (known && clock.now() - known.atMs < AGAIN_MS)) continue;
      asked.push(this.#ask(question));
    }
    if (asked.length === 0) return;
    let cancel = () => {};
    const patience = new Promise<void>((resolve) => {
      cancel = clock.after(PATIENCE_MS, resolve, { background: true });
    });
    await Promise.race([Promise.all(asked), patience]);
    cancel();
  }

  /** Returns the drafts for a pattern. Empty if no question was asked or no draft was usable. */
  of(patternId: string): readonly Draft[] {
    return this.#answers.get(patternId)?.drafts ?? [];
  }

  /** Returns whether the writer has not answered yet. */
  isAsking(patternId: string): boolean {
    return this.#open.has(patternId);
  }

  /** Returns why a question about a pattern had no result; `undefined` if it had one or was not asked. */
  problemOf(patternId: string): string | undefined {
    return this.#answers.get(patternId)?.problem;
  }

  close(): void {
    for (const abort of this.#open.values()) abort.abort();
    this.#open.clear();
  }

  async #ask(question: Question): Promise<void> {
    const { writer, clock, noun, otherwise, report, timeoutMs = TIMEOUT_MS } = this.#options;
    const { id } = question.pattern;
    const abort = new AbortController();
    this.#open.set(id, abort);
    const cancel = clock.after(timeoutMs, () => abort.abort(new Error(`no answer within ${timeoutMs} ms`)), {
      background: true,
    });
    let drafts: readonly Draft[] = [];
    const problems: string[] = [];
    try {
      drafts = this.#read(await writer.write(question, { signal: abort.signal }), question, problems);
      for (const problem of problems) report(`a ${noun} of ${writer.name} for pattern ${id} is not used: ${problem}`);
    } catch (error) {
      problems.push(recordedText(messageOf(error)));
      report(`${writer.name} wrote no ${noun} for pattern ${id}, ${otherwise}: ${problems[0]}`);
    } finally {
      cancel();
      this.#open.delete(id);
    }
    if (this.#answers.size >= MAX_KEPT) this.#answers.delete(this.#answers.keys().next().value ?? '');
    const [problem] = drafts.length === 0 ? problems : [];
    this.#answers.set(id, { drafts, atMs: clock.now(), ...(problem !== undefined && { problem }) });
  }

  /** Reads a writer's drafts, because they come from outside. Adds each rejection to `problems`. */
  #read(given: unknown, question: Question, problems: string[]): readonly Draft[] {
    if (!Array.isArray(given)) throw new Error('it must give a list of drafts');
    return given.slice(0, this.#options.maxDrafts ?? MAX_DRAFTS).flatMap((draft: unknown): readonly Draft[] => {
      const read = this.#options.read(draft, question);
      if (typeof read !== 'string') return [read];
      problems.push(read);
      return [];
    });
  }
}
