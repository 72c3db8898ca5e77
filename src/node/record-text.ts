import type { JournalRecord, Outcome, OutcomeError } from '../records.js';

/** Texts kept in their JSON form: names and messages return again and again. */
const MAX_KEPT = 1_000;
/** Longer ones are rarely the same, and would make the store of kept texts large. */
const MAX_KEPT_CHARACTERS = 500;
/** What JSON has to escape, and halves of surrogate pairs, which UTF-8 cannot carry. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON escapes
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * Writes records as JSON, about twice as fast as `JSON.stringify`: it knows the fields, and remembers texts it has
 * written before. Every field of `Outcome` has its place here; the compiler says when one is missing.
 */
export class RecordText {
  readonly #kept = new Map<string, string>();

  /** What follows the position in a line, with the closing brace. Throws what `JSON.stringify` throws. */
  of(record: JournalRecord): string {
    if (record.kind === 'outcome') return `"kind":"outcome","outcome":${this.#outcome(record.outcome)}}`;
    return `"kind":"start","start":${JSON.stringify(record.start)}}`;
  }

  #outcome(outcome: Outcome): string {
    let text = `{"id":${quoted(outcome.id)},"task":${this.#known(outcome.task)},"success":${outcome.success === true}`;
    text += `,"atMs":${number(outcome.atMs)},"source":${this.#known(outcome.source)}`;
    if (outcome.session !== undefined) text += `,"session":${this.#known(outcome.session)}`;
    if (outcome.agent !== undefined) text += `,"agent":${this.#known(outcome.agent)}`;
    if (outcome.parent !== undefined) text += `,"parent":${quoted(outcome.parent)}`;
    if (outcome.model !== undefined) text += `,"model":${this.#known(outcome.model)}`;
    if (outcome.tool !== undefined) text += `,"tool":${this.#known(outcome.tool)}`;
    if (outcome.durationMs !== undefined) text += `,"durationMs":${number(outcome.durationMs)}`;
    if (outcome.tokens !== undefined) {
      text += `,"tokens":{"input":${number(outcome.tokens.input)},"output":${number(outcome.tokens.output)}}`;
    }
    if (outcome.costUsd !== undefined) text += `,"costUsd":${number(outcome.costUsd)}`;
    if (outcome.quality !== undefined) text += `,"quality":${number(outcome.quality)}`;
    if (outcome.error !== undefined) text += `,"error":${this.#error(outcome.error)}`;
    text += `,"issues":${this.#list(outcome.issues)}`;
    if (outcome.fingerprint !== undefined) text += `,"fingerprint":${this.#known(outcome.fingerprint)}`;
    if (outcome.managed !== undefined) text += `,"managed":${outcome.managed === true}`;
    if (outcome.weight !== undefined) text += `,"weight":${number(outcome.weight)}`;
    for (const field of RARE) {
      const value = outcome[field];
      if (value !== undefined) text += `,"${field}":${JSON.stringify(value)}`;
    }
    return `${text}}`;
  }

  #error(error: OutcomeError): string {
    let text = `{"message":${this.#known(error.message)}`;
    if (error.name !== undefined) text += `,"name":${this.#known(error.name)}`;
    if (error.code !== undefined) text += `,"code":${this.#known(error.code)}`;
    if (error.status !== undefined) text += `,"status":${number(error.status)}`;
    if (error.retryAfterMs !== undefined) text += `,"retryAfterMs":${number(error.retryAfterMs)}`;
    return `${text}}`;
  }

  #list(items: readonly string[]): string {
    let text = '[';
    for (let index = 0; index < items.length; index++) {
      text += (index === 0 ? '' : ',') + this.#known(items[index] ?? '');
    }
    return `${text}]`;
  }

  #known(text: string): string {
    const kept = this.#kept.get(text);
    if (kept !== undefined) return kept;
    const written = quoted(text);
    if (text.length <= MAX_KEPT_CHARACTERS) {
      // Beginning anew is simpler than forgetting the oldest, and costs one pass over what is in use.
      if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
      this.#kept.set(text, written);
    }
    return written;
  }
}

type Written =
  | 'id'
  | 'task'
  | 'success'
  | 'atMs'
  | 'source'
  | 'session'
  | 'agent'
  | 'parent'
  | 'model'
  | 'tool'
  | 'durationMs'
  | 'tokens'
  | 'costUsd'
  | 'quality'
  | 'error'
  | 'issues'
  | 'fingerprint'
  | 'managed'
  | 'weight';

/** The other fields, by the general way; as an object, so that leaving one out does not compile. */
const RARE_FIELDS: Readonly<Record<Exclude<keyof Outcome, Written>, true>> = {
  attempts: true,
  expected: true,
  actual: true,
  severity: true,
  context: true,
  tags: true,
  endsSession: true,
};
// `Object.keys` gives the keys of the object above.
const RARE = Object.keys(RARE_FIELDS) as readonly Exclude<keyof Outcome, Written>[];

function quoted(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function number(value: number): string | number {
  // `NaN` and infinities are no JSON.
  return Number.isFinite(value) ? value : 'null';
}
