import type { JournalRecord } from '../contract/journal-record.js';
import type { Outcome, OutcomeError } from '../contract/outcome.js';
import { MARK } from './line.js';
import { LineBuffer, type Piece, pieceOf } from './line-buffer.js';

/** Maximum number of values cached as bytes, per field: the same names recur. */
const MAX_KEPT = 512;
const MAX_KEPT_CHARACTERS = 200;

/**
 * Writes records as lines of JSON in about half the time of `JSON.stringify`: it knows the fields, and copies names it
 * has written before. Every field of `Outcome` is listed here; the compiler reports a missing one.
 */
export class RecordLines extends LineBuffer {
  readonly #succeeded = new KnownField(',"task":', ',"success":true,"atMs":');
  readonly #failed = new KnownField(',"task":', ',"success":false,"atMs":');
  readonly #source = new KnownField(',"source":');
  readonly #session = new KnownField(',"session":');
  readonly #agent = new KnownField(',"agent":');
  readonly #model = new KnownField(',"model":');
  readonly #tool = new KnownField(',"tool":');
  readonly #errorName = new KnownField(',"name":');
  readonly #errorCode = new KnownField(',"code":');
  readonly #onlyIssue = new KnownField(',"issues":[', ']');

  /**
   * Adds a line.
   * @throws what `JSON.stringify` throws; no line is added then.
   */
  add(position: number, record: JournalRecord): void {
    this.open(FRAME);
    try {
      this.number(position);
      if (record.kind === 'outcome') this.#outcome(record.outcome);
      else this.#rare(START, record.start);
      this.piece(CLOSE);
    } catch (error) {
      this.cancel();
      throw error;
    }
    this.seal();
  }

  #outcome(outcome: Outcome): void {
    this.piece(OUTCOME);
    this.text(outcome.id);
    (outcome.success === true ? this.#succeeded : this.#failed).add(this, outcome.task);
    this.number(outcome.atMs);
    this.#source.add(this, outcome.source);
    if (outcome.session !== undefined) this.#session.add(this, outcome.session);
    if (outcome.agent !== undefined) this.#agent.add(this, outcome.agent);
    if (outcome.parent !== undefined) {
      this.piece(PARENT);
      this.text(outcome.parent);
    }
    if (outcome.model !== undefined) this.#model.add(this, outcome.model);
    if (outcome.tool !== undefined) this.#tool.add(this, outcome.tool);
    if (outcome.durationMs !== undefined) this.#number(DURATION, outcome.durationMs);
    if (outcome.tokens !== undefined) {
      this.#number(TOKENS, outcome.tokens.input);
      this.#number(OUTPUT, outcome.tokens.output);
      if (outcome.tokens.cachedInput !== undefined) this.#number(CACHED_INPUT, outcome.tokens.cachedInput);
      this.piece(CLOSE);
    }
    if (outcome.costUsd !== undefined) this.#number(COST, outcome.costUsd);
    if (outcome.quality !== undefined) this.#number(QUALITY, outcome.quality);
    if (outcome.error !== undefined) this.#error(outcome.error);
    const { issues } = outcome;
    const only = issues[0];
    if (only === undefined && issues.length === 0) this.piece(NO_ISSUES);
    else if (only !== undefined && issues.length === 1) this.#onlyIssue.add(this, only);
    else this.#rare(ISSUES, issues);
    if (outcome.fingerprint !== undefined) {
      this.piece(FINGERPRINT);
      this.text(outcome.fingerprint);
    }
    if (outcome.managed !== undefined) this.piece(outcome.managed === true ? MANAGED : NOT_MANAGED);
    if (outcome.repeatable !== undefined) this.piece(outcome.repeatable === true ? REPEATABLE : NOT_REPEATABLE);
    if (outcome.models !== undefined) this.#rare(MODELS, outcome.models);
    if (outcome.weight !== undefined) this.#number(WEIGHT, outcome.weight);
    if (outcome.attempts !== undefined) this.#rare(ATTEMPTS, outcome.attempts);
    if (outcome.expected !== undefined) this.#rare(EXPECTED, outcome.expected);
    if (outcome.actual !== undefined) this.#rare(ACTUAL, outcome.actual);
    if (outcome.severity !== undefined) this.#rare(SEVERITY, outcome.severity);
    if (outcome.context !== undefined) this.#rare(CONTEXT, outcome.context);
    if (outcome.tags !== undefined) this.#rare(TAGS, outcome.tags);
    if (outcome.endsSession !== undefined) this.#rare(ENDS_SESSION, outcome.endsSession);
    this.piece(CLOSE);
  }

  #error(error: OutcomeError): void {
    this.piece(ERROR);
    this.text(error.message);
    if (error.name !== undefined) this.#errorName.add(this, error.name);
    if (error.code !== undefined) this.#errorCode.add(this, error.code);
    if (error.status !== undefined) this.#number(STATUS, error.status);
    if (error.retryAfterMs !== undefined) this.#number(RETRY_AFTER, error.retryAfterMs);
    this.piece(CLOSE);
  }

  #number(key: Piece, value: number): void {
    this.piece(key);
    this.number(value);
  }

  #rare(key: Piece, value: unknown): void {
    this.piece(key);
    this.json(value);
  }
}

/** Field that caches the bytes of its values. */
class KnownField {
  readonly #before: Piece;
  readonly #behind: Piece;
  readonly #kept = new Map<string, Piece>();

  constructor(before: string, behind = '') {
    this.#before = pieceOf(before);
    this.#behind = pieceOf(behind);
  }

  add(lines: LineBuffer, value: string): void {
    const kept = this.#kept.get(value);
    if (kept !== undefined) {
      lines.piece(kept);
      return;
    }
    const start = lines.byteLength;
    lines.piece(this.#before);
    lines.text(value);
    lines.piece(this.#behind);
    if (value.length > MAX_KEPT_CHARACTERS) return;
    // Clearing everything is simpler than evicting the oldest, and costs one pass over the values in use.
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(value, lines.since(start));
  }
}

const FRAME = pieceOf(`${MARK}00000000","n":`);
const OUTCOME = pieceOf(',"kind":"outcome","outcome":{"id":');
const START = pieceOf(',"kind":"start","start":');
const PARENT = keyOf('parent');
const DURATION = keyOf('durationMs');
const TOKENS = pieceOf(',"tokens":{"input":');
const OUTPUT = keyOf('output');
const CACHED_INPUT = keyOf('cachedInput');
const COST = keyOf('costUsd');
const QUALITY = keyOf('quality');
const ERROR = pieceOf(',"error":{"message":');
const STATUS = keyOf('status');
const RETRY_AFTER = keyOf('retryAfterMs');
const ISSUES = keyOf('issues');
const NO_ISSUES = pieceOf(',"issues":[]');
const FINGERPRINT = keyOf('fingerprint');
const MANAGED = pieceOf(',"managed":true');
const NOT_MANAGED = pieceOf(',"managed":false');
const REPEATABLE = pieceOf(',"repeatable":true');
const NOT_REPEATABLE = pieceOf(',"repeatable":false');
const MODELS = keyOf('models');
const WEIGHT = keyOf('weight');
const CLOSE = pieceOf('}');

const ATTEMPTS = keyOf('attempts');
const EXPECTED = keyOf('expected');
const ACTUAL = keyOf('actual');
const SEVERITY = keyOf('severity');
const CONTEXT = keyOf('context');
const TAGS = keyOf('tags');
const ENDS_SESSION = keyOf('endsSession');

function keyOf(name: string): Piece {
  return pieceOf(`,"${name}":`);
}
