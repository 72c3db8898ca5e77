import { describeFacts } from '../classify/describe-error.js';
import { readFacts } from '../classify/facts.js';
import type { JsonObject, Outcome, OutcomeError, OutcomeId } from '../records.js';
import { type FieldName, fieldOf } from './fields.js';
import { keepMembers, keepObject, keepText, MAX_NAME, readMember } from './keep.js';
import * as values from './values.js';

/** A field that was sent and could not be read. */
export interface FieldProblem {
  /** As it was sent. */
  readonly field: string;
  /** Shortly, redacted. */
  readonly value: string;
  /** What can be read there. */
  readonly expected: string;
}

export interface ParsedOutcome {
  /** Absent when there is no task, or nothing says whether it succeeded. Not classified yet. */
  readonly outcome?: Outcome;
  readonly problems: readonly FieldProblem[];
}

export interface OutcomeDefaults {
  readonly id: string;
  readonly atMs: number;
  readonly source: string;
}

type Draft = { -readonly [Name in keyof Outcome]?: Outcome[Name] };

/** More keys than any outcome has; the rest of a huge object is not looked at. */
const MAX_KEYS = 256;
export const MAX_ISSUES = 16;
export const MAX_TAGS = 32;

/**
 * The border: makes an outcome of whatever people send, in any of the accepted spellings, redacted and cut, and names
 * every field it could not read. Unknown keys go to `context`. Never throws, whatever getter, proxy or cycle it meets.
 */
export function parseOutcome(input: unknown, defaults: OutcomeDefaults): ParsedOutcome {
  try {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      return { problems: [problem('(record)', input, 'an object with at least task and success')] };
    }
    return new Parsing(input).run(defaults);
  } catch {
    return { problems: [problem('(record)', undefined, 'an object whose keys can be read')] };
  }
}

class Parsing {
  readonly #input: object;
  readonly #draft: Draft = {};
  readonly #problems: FieldProblem[] = [];
  readonly #unknownKeys: string[] = [];
  /** Which key filled a field: the first one does, what comes again goes to `context`. */
  readonly #taken = new Map<FieldName, unknown>();

  constructor(input: object) {
    this.#input = input;
  }

  run(defaults: OutcomeDefaults): ParsedOutcome {
    for (const key of Object.keys(this.#input).slice(0, MAX_KEYS)) this.#readKey(key);
    const draft = this.#draft;
    const problems = this.#problems;
    const error = this.#error();
    const success = this.#success(error);
    if (draft.task === undefined && !problems.some(({ field }) => fieldOf(field) === 'task')) {
      problems.push(problem('task', undefined, 'the name of the task'));
    }
    if (success === undefined) {
      problems.push(problem('success', undefined, 'true or false, or an error, or a status such as ok or error'));
    }
    if (draft.task === undefined || success === undefined) return { problems };
    this.#tokens();
    this.#context();
    const { id, task, atMs, source, issues, ...rest } = draft;
    const outcome: Outcome = {
      id: (id ?? defaults.id) as OutcomeId, // the border is where a text becomes the id of an outcome
      task,
      success,
      atMs: atMs ?? defaults.atMs,
      source: source ?? defaults.source,
      ...rest,
      ...(error && { error }),
      issues: issues ?? [],
    };
    return { outcome, problems };
  }

  #readKey(key: string): void {
    const field = fieldOf(key);
    const value = readMember(this.#input, key);
    if (value === undefined || (value === null && field !== undefined)) return;
    if (field === undefined || this.#taken.has(field)) {
      this.#unknownKeys.push(key);
      return;
    }
    this.#taken.set(field, value);
    const expected = this.#readField(field, value);
    if (expected === undefined) return;
    this.#taken.delete(field);
    this.#problems.push(problem(key, value, expected));
  }

  /** Reads one field into the draft; gives what was expected when the value cannot be read. */
  #readField(field: FieldName, value: unknown): string | undefined {
    switch (field) {
      case 'id':
      case 'task':
      case 'source':
      case 'session':
      case 'agent':
      case 'parent':
      case 'model':
      case 'tool':
      case 'fingerprint':
        return this.#set(field, values.readName(value) as OutcomeId | undefined, 'a text that is not empty'); // only `id` is branded
      case 'success':
      case 'failed':
        return values.readSuccess(value) === undefined ? 'true or false' : undefined;
      case 'status':
        return values.readSuccess(value) === undefined ? 'ok, error, or an HTTP status' : undefined;
      case 'at':
        return this.#set(
          'atMs',
          this.#draft.atMs ?? values.readTime(value),
          'an ISO date or epoch seconds or milliseconds, 1990 to 2099',
        );
      case 'atMs':
        return this.#set('atMs', values.readNumber(value, 0, values.LATEST_MS), 'epoch milliseconds');
      case 'durationMs':
        return this.#set('durationMs', values.readDuration(value, 1), 'milliseconds, 0 or more');
      case 'durationS':
        return this.#set('durationMs', values.readDuration(value, 1000), 'seconds, 0 or more');
      case 'tokens':
        return values.readTokens(value) === undefined ? 'an object with input and output counts' : undefined;
      case 'inputTokens':
      case 'outputTokens':
      case 'cacheReadInputTokens':
        return values.readTokenCount(value) === undefined ? 'a count of tokens' : undefined;
      case 'costUsd':
        return this.#set('costUsd', values.readNumber(value, 0, 1e9), 'US dollars, 0 or more');
      case 'quality':
        return this.#set('quality', values.readNumber(value, 1, 5), 'a number from 1 to 5');
      case 'error':
      case 'errorName':
      case 'errorCode':
        return undefined; // whatever is sent as an error is described as one
      case 'errorStatus':
        return values.readHttpStatus(value) === undefined ? 'an HTTP status, 100 to 599' : undefined;
      case 'retryAfterMs':
      case 'retryAfterS':
        return values.readDuration(value, 1) === undefined ? 'a time to wait, 0 or more' : undefined;
      case 'issues':
        return this.#set('issues', values.readNames(value, MAX_ISSUES), 'a name or a list of names');
      case 'attempts':
        return this.#set('attempts', values.readAttempts(value), 'a list of attempts with success and durationMs');
      case 'expected':
      case 'actual':
        return this.#set(field, typeof value === 'string' ? keepText(value) : shown(value), 'a text');
      case 'severity':
        return this.#set('severity', values.readSeverity(value), 'low, medium, high or critical');
      case 'context':
        return typeof value === 'object' && !Array.isArray(value) ? undefined : 'an object';
      case 'tags':
        return this.#set('tags', values.readNames(value, MAX_TAGS), 'a list of names');
      case 'managed':
      case 'endsSession':
        return this.#set(field, typeof value === 'boolean' ? value : undefined, 'true or false');
      case 'weight':
        return this.#set('weight', values.readNumber(value, 1, 1e9), 'a number from 1');
      default:
        return field satisfies never;
    }
  }

  #set<Name extends keyof Draft>(name: Name, value: Draft[Name] | undefined, expected: string) {
    if (value === undefined) return expected;
    this.#draft[name] = value;
    return undefined;
  }

  #error(): OutcomeError | undefined {
    const stated = this.#taken.get('error');
    const name = values.readName(this.#taken.get('errorName'));
    const code = values.readName(this.#taken.get('errorCode'));
    const ofTask = values.readHttpStatus(this.#taken.get('status'));
    const status =
      values.readHttpStatus(this.#taken.get('errorStatus')) ?? (ofTask && ofTask >= 400 ? ofTask : undefined);
    const retryAfterMs =
      values.readDuration(this.#taken.get('retryAfterMs'), 1) ??
      values.readDuration(this.#taken.get('retryAfterS'), 1000);
    const failedStatus = status !== undefined && status >= 400;
    if (isNoError(stated) && name === undefined && !failedStatus) return undefined;
    // What stands beside the error fills in what the error itself leaves open, before its words do.
    const layers = readFacts(isNoError(stated) ? '' : stated);
    const [outer] = layers;
    if (outer) {
      if (name !== undefined) outer.name ??= name;
      if (code !== undefined) outer.code ??= code;
      if (status !== undefined && !layers.some((facts) => facts.status !== undefined)) outer.status = status;
      if (retryAfterMs !== undefined) outer.retryAfterMs ??= retryAfterMs;
    }
    return keepError(describeFacts(layers));
  }

  /** Said outright, or by a status; otherwise an error or a named issue means failure. */
  #success(error: OutcomeError | undefined): boolean | undefined {
    const failed = values.readSuccess(this.#taken.get('failed'));
    const stated =
      values.readSuccess(this.#taken.get('success')) ??
      (failed === undefined ? undefined : !failed) ??
      values.readSuccess(this.#taken.get('status')) ??
      values.readSuccess(this.#taken.get('errorStatus'));
    if (stated !== undefined) return stated;
    return error !== undefined || (this.#draft.issues?.length ?? 0) > 0 ? false : undefined;
  }

  #tokens(): void {
    const stated = values.readTokens(this.#taken.get('tokens'));
    const input = values.readTokenCount(this.#taken.get('inputTokens'));
    const output = values.readTokenCount(this.#taken.get('outputTokens'));
    const cached = values.readTokenCount(this.#taken.get('cacheReadInputTokens')) ?? 0;
    if (stated) this.#draft.tokens = stated;
    else if (input !== undefined || output !== undefined) {
      this.#draft.tokens = { input: (input ?? 0) + cached, output: output ?? 0 };
    }
  }

  #context(): void {
    const stated = this.#taken.get('context');
    const own: JsonObject = typeof stated === 'object' && stated !== null ? keepObject(stated) : {};
    const context = { ...keepMembers(this.#input, this.#unknownKeys), ...own };
    if (Object.keys(context).length > 0) this.#draft.context = context;
  }
}

/** Redacts a described error. */
export function keepError({ message, name, code, status, retryAfterMs }: OutcomeError): OutcomeError {
  const kept: { -readonly [Name in keyof OutcomeError]: OutcomeError[Name] } = {
    message: keepText(dropCutToken(message)),
  };
  if (name !== undefined) kept.name = keepText(name, MAX_NAME);
  if (code !== undefined) kept.code = keepText(code, MAX_NAME);
  if (status !== undefined) kept.status = status;
  if (retryAfterMs !== undefined) kept.retryAfterMs = retryAfterMs;
  return kept;
}

/** The word at a cut may be half of a secret, too short to be known as one. */
function dropCutToken(message: string): string {
  return message.endsWith('…') ? message.replace(/\S{0,200}…$/, '…') : message;
}

function isNoError(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}

function problem(field: string, value: unknown, expected: string): FieldProblem {
  return { field: keepText(field, MAX_NAME), value: shown(value), expected };
}

/** A value on one short line. */
function shown(value: unknown): string {
  if (typeof value === 'string') return keepText(value, 80);
  if (typeof value === 'object' && value !== null) {
    return keepText(JSON.stringify(Array.isArray(value) ? keepObject({ list: value }).list : keepObject(value)), 80);
  }
  return typeof value === 'symbol' || typeof value === 'function'
    ? `a ${typeof value}`
    : keepText(String(value).slice(0, 80), 80);
}
