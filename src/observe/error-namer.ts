import { type ErrorRule, issueOf, ownIssueOf } from '../classify/classify-error.js';
import { describeFacts } from '../classify/describe-error.js';
import { readFacts } from '../classify/facts.js';
import { fingerprinter } from '../classify/fingerprint.js';
import { issueSaid } from '../classify/said.js';
import type { Issue } from '../contract/issue.js';
import type { Outcome, OutcomeError } from '../contract/outcome.js';
import { type DescribedError, joinIssues, type Namer } from './namer.js';
import { RepeatCache } from './repeat-cache.js';
import { sanitizeError } from './sanitize-error.js';
import type { Draft } from './set-field.js';

/** Redacted error, with its class and its fingerprint. */
export interface NamedError extends DescribedError {
  readonly fingerprint: string;
}

const MAX_KEY = 2_000;
const MAX_ENTRIES = 2_048;
const MAX_ERROR_MEMBERS = 8;

/** Classifies errors and caches the results, so that a repeated text costs one look-up. */
export class ErrorNamer implements Namer {
  readonly #rules: readonly ErrorRule[];
  readonly #fingerprint = fingerprinter();
  readonly #seen = new RepeatCache<NamedError>(MAX_ENTRIES);
  /** Last described error, which is usually completed next. */
  #described: NamedError | undefined;

  /** Whether people wrote all texts, as in `rsi record`. */
  readonly #isSaid: boolean;

  constructor(rules: readonly ErrorRule[] = [], { isSaid = false }: { readonly isSaid?: boolean | undefined } = {}) {
    this.#rules = rules;
    this.#isSaid = isSaid;
  }

  /** Classifies any value that was thrown or sent as an error. */
  name(input: unknown): NamedError {
    const key = typeof input === 'string' ? input : cacheKey(input);
    if (key === undefined || key.length > MAX_KEY) return this.#work(input);
    const known = this.#seen.get(key);
    if (known !== undefined) return known;
    const named = this.#work(input);
    // A text that held a secret is not cached: the cache would hold the secret.
    if (!named.error.message.includes('[redacted')) this.#seen.set(key, named);
    return named;
  }

  /** Returns the redacted error for a text. */
  readonly describe = (text: string): OutcomeError => {
    this.#described = this.name(text);
    return this.#described.error;
  };

  /**
   * Adds the classified issue and the fingerprint to a parsed outcome. Changes it in place, because the caller owns it.
   */
  complete(outcome: Draft): Outcome {
    const { error, issues } = outcome;
    if (outcome.success) return outcome;
    if (error === undefined) {
      if (issues.length === 0) outcome.issues = UNKNOWN;
      return outcome;
    }
    const named = this.#described?.error === error ? this.#described : this.name(error);
    outcome.issues = this.#isSaid || isActual(outcome) ? this.#saidIssues(outcome) : joinIssues(named, issues);
    outcome.fingerprint = named.fingerprint;
    return outcome;
  }

  /** Returns the issues of a text by a person: those that were named, else the class of the text if it has one. */
  #saidIssues({ error, issues, expected }: Draft): readonly Issue[] {
    if (issues.length > 0 || error === undefined) return issues;
    const issue = ownIssueOf(readFacts(error.message), this.#rules) ?? issueSaid(error.message);
    return [issue === 'unknown' && expected !== undefined ? 'wrong_output' : issue];
  }

  #work(input: unknown): NamedError {
    const layers = readFacts(input);
    const error = sanitizeError(describeFacts(layers));
    const { issue, isHint } = issueOf(layers, this.#rules);
    return { error, issues: [issue], isHint, fingerprint: this.#fingerprint(error.message) };
  }
}

/** Returns whether the error is the actual result in the words of the caller. It has no code of a program then. */
function isActual({ error, actual }: Draft): boolean {
  return (
    actual !== undefined && error !== undefined && error.code === undefined && head(error.message) === head(actual)
  );
}

const HEAD_CHARS = 300;
const head = (text: string) => text.slice(0, HEAD_CHARS).trim();

const UNKNOWN: readonly Issue[] = ['unknown'];

/** Returns a key that is equal only for equal errors; `undefined` for errors that carry more than plain values. */
function cacheKey(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  try {
    const { name, message } = input as { name?: unknown; message?: unknown }; // only read, and checked below
    const isError = input instanceof Error;
    if (typeof message !== 'string' || (isError && (input.cause !== undefined || 'errors' in input))) return undefined;
    let key = `${isError ? 'E' : 'O'}${typeof name === 'string' ? name : ''}\0${message}`;
    let count = 0;
    for (const member in input) {
      const value: unknown = (input as Record<string, unknown>)[member]; // a key from this loop
      if (++count > MAX_ERROR_MEMBERS || (typeof value === 'object' && value !== null) || typeof value === 'function') {
        return undefined;
      }
      key += `\0${member}=${String(value)}`;
    }
    return key;
  } catch {
    return undefined;
  }
}
