import type { OutcomeId } from '../contract/ids.js';
import type { Issue } from '../contract/issue.js';
import type { Json } from '../contract/json.js';
import type { Outcome } from '../contract/outcome.js';
import { hashHex } from '../lib/hash.js';
import { recordedText } from '../lib/recorded-text.js';
import { Streaks, type StreaksSnapshot, saysSomething } from './streaks.js';

/** A past event of a task: one way it failed, or something that worked. */
export interface Precedent {
  readonly kind: 'success' | 'failure';
  readonly task: string;
  readonly source: string;
  readonly agent?: string;
  /**
   * Recorded text of the failure or success, on one line, redacted and truncated. Show it to a model only as a
   * quotation.
   */
  readonly text: string;
  /** Only for failures. */
  readonly issue?: Issue;
  readonly model?: string;
  readonly tool?: string;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** Newest outcome of this kind. */
  readonly outcomeId: OutcomeId;
}

/** Maximum number of precedents per kind. The least recently seen are dropped. */
const MAX_KEPT = 300;
const MAX_TEXT_BYTES = 400;

/** Bounded collection of failures and successes that have a text, one precedent per kind. Constant cost per outcome. */
export class Library {
  readonly streaks: Streaks;
  readonly #kept: Readonly<Record<Precedent['kind'], Map<string, Precedent>>>;

  constructor(kept: LibrarySnapshot['kept'] = [], streaks = new Streaks()) {
    this.streaks = streaks;
    this.#kept = { success: new Map(), failure: new Map() };
    for (const [key, precedent] of kept) this.#kept[precedent.kind].set(key, precedent);
  }

  /** Adds outcomes, which must be sorted by (atMs, id). */
  absorb(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) {
      if (!saysSomething(outcome)) continue;
      this.streaks.add(outcome);
      const said = outcome.success ? whatWorked(outcome) : whatFailed(outcome);
      if (said !== '') this.#keep(outcome, said);
    }
  }

  /** Returns the precedents of one task, most recently seen first. Filters by source and agent if given. */
  about({
    task,
    source,
    agent,
  }: {
    readonly task: string;
    readonly source?: string;
    readonly agent?: string;
  }): Precedent[] {
    return [...this.#kept.success.values(), ...this.#kept.failure.values()]
      .filter(
        (one) =>
          one.task === task &&
          (source === undefined || one.source === source) &&
          (agent === undefined || one.agent === undefined || one.agent === agent),
      )
      .map((one) => ({ ...one, text: recordedText(one.text, MAX_TEXT_BYTES) }))
      .filter(({ text }) => text !== '')
      .sort((a, b) => b.lastMs - a.lastMs || (a.outcomeId < b.outcomeId ? 1 : -1));
  }

  snapshot(): LibrarySnapshot {
    const kept = [...this.#kept.success, ...this.#kept.failure];
    return { kept, streaks: this.streaks.snapshot() };
  }

  static restore({ kept, streaks }: LibrarySnapshot): Library {
    return new Library(kept, Streaks.restore(streaks));
  }

  #keep(outcome: Outcome, said: string): void {
    const { id: outcomeId, task, source, agent, model, tool, atMs, success, issues, weight = 1 } = outcome;
    const kind = success ? 'success' : 'failure';
    const kept = this.#kept[kind];
    const key = outcomeKey(outcome, said);
    const before = kept.get(key);
    // Deleted and set again, so that the first key is the least recently seen. Text is cleaned when it is read,
    // because most entries never are.
    const text = said.slice(0, 2 * MAX_TEXT_BYTES);
    if (before) {
      kept.delete(key);
      kept.set(key, { ...before, text, count: before.count + weight, lastMs: atMs, outcomeId });
      return;
    }
    const [issue] = issues;
    kept.set(key, {
      kind,
      task,
      source,
      ...(agent !== undefined && { agent }),
      text,
      ...(!success && issue !== undefined && { issue }),
      ...(model !== undefined && { model }),
      ...(tool !== undefined && { tool }),
      count: weight,
      firstMs: atMs,
      lastMs: atMs,
      outcomeId,
    });
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) return;
      kept.delete(oldest);
    }
  }
}

export interface LibrarySnapshot {
  readonly kept: readonly (readonly [key: string, precedent: Precedent])[];
  readonly streaks: StreaksSnapshot;
}

/** Returns the key of an outcome. Failures are keyed by fingerprint, so that identical ones are stored once. */
function outcomeKey({ task, source, agent = '', fingerprint, success }: Outcome, said: string): string {
  const what = success ? hashHex(said) : (fingerprint ?? hashHex(said));
  // Prefixed with the lengths, so that different names cannot form the same key.
  return `${what} ${task.length} ${source.length} ${task}${source}${agent}`;
}

function whatFailed({ error, expected, actual }: Outcome): string {
  const difference = [expected && `expected ${expected}`, actual && `got ${actual}`].filter(Boolean).join(', ');
  return [error?.message, difference].filter(Boolean).join('; ');
}

/**
 * Returns the text of a success, from its result, its context, or the failed attempts before it. Empty if there is
 * none.
 */
function whatWorked({ actual, expected, context, attempts = [] }: Outcome): string {
  const failed = attempts.find(({ success, issue }) => !success && issue !== undefined);
  const last = attempts.at(-1);
  const recovered =
    failed && last?.success
      ? `after ${failed.issue}${failed.model ? ` of ${failed.model}` : ''}, attempt ${attempts.length}${last.model ? ` with ${last.model}` : ''} worked`
      : '';
  return [actual ?? expected ?? wordsOf(context), recovered].filter(Boolean).join('; ');
}

function wordsOf(context: Readonly<Record<string, Json>> | undefined): string {
  const parts = Object.entries(context ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [`${name}: ${value}`] : [],
  );
  return parts.join(', ');
}
