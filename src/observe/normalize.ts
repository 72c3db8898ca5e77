import { describeFacts } from '../classify/describe-error.js';
import { readFacts } from '../classify/facts.js';
import type { OutcomeId } from '../contract/ids.js';
import type { Issue } from '../contract/issue.js';
import type { Outcome, OutcomeError, TokenUse } from '../contract/outcome.js';
import { type FieldName, fieldOf } from './fields.js';
import { MAX_NAME, readMember, sanitizeMembers, sanitizeObject, sanitizeText } from './sanitize.js';
import * as values from './values.js';

/** Field that was sent and could not be read. */
export interface FieldProblem {
  /** Name of the field, as it was sent. */
  readonly field: string;
  /** Value, shortened and redacted. */
  readonly value: string;
  /** Description of what can be read there. */
  readonly expected: string;
}

export interface ParsedOutcome {
  /** Absent if there is no task, or nothing states whether it succeeded. Not classified yet. */
  readonly outcome?: Outcome;
  readonly problems: readonly FieldProblem[];
}

export interface OutcomeDefaults {
  readonly id: string;
  readonly atMs: number;
  readonly source: string;
  /** Returns the redacted error for a text. May return a cached result. */
  readonly describe?: (text: string) => OutcomeError;
}

type Draft = { -readonly [Name in keyof Outcome]?: Outcome[Name] | undefined };

const NO_PROBLEMS: readonly FieldProblem[] = [];
const NO_ISSUES: readonly Issue[] = [];
/** Maximum keys that are read. No outcome has more; the rest of a huge object is ignored. */
const MAX_KEYS = 256;
/** Maximum weight of an outcome, regardless of its sender. Samplers keep one in a thousand, not one in a million. */
const MAX_WEIGHT = 1_000;
export const MAX_ISSUES = 16;
export const MAX_TAGS = 32;
const MAX_MODELS = 16;

/**
 * Parses an outcome from any value, in any of the accepted spellings. Redacts and truncates it, and reports every field
 * that could not be read. Unknown keys go to `context`. Never throws, even for getters, proxies or cycles.
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

/** Values already read that form an outcome only in combination. */
interface Sent {
  success: boolean | undefined;
  failed: boolean | undefined;
  status: boolean | undefined;
  statusOfTask: number | undefined;
  tokens: TokenUse | undefined;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  cacheReadInputTokens: number | undefined;
  error: unknown;
  errorName: string | undefined;
  errorCode: string | undefined;
  errorStatus: number | undefined;
  retryAfterMs: number | undefined;
  retryAfterS: number | undefined;
  context: object | undefined;
}

class Parsing {
  readonly #input: object;
  /** Begins with the same keys as in the typed path, so that the outcomes of both are objects of one shape. */
  readonly #draft: Draft = {
    id: undefined,
    task: undefined,
    success: undefined,
    atMs: undefined,
    source: undefined,
    issues: undefined,
  };
  readonly #sent: Sent = {
    success: undefined,
    failed: undefined,
    status: undefined,
    statusOfTask: undefined,
    tokens: undefined,
    inputTokens: undefined,
    outputTokens: undefined,
    cacheReadInputTokens: undefined,
    error: undefined,
    errorName: undefined,
    errorCode: undefined,
    errorStatus: undefined,
    retryAfterMs: undefined,
    retryAfterS: undefined,
    context: undefined,
  };
  #problems: FieldProblem[] | undefined;
  #unknownKeys: string[] | undefined;
  /** Fields that a key has already filled. The first key wins; later ones go to `context`. */
  readonly #taken: FieldName[] = [];

  constructor(input: object) {
    this.#input = input;
  }

  run({ id, atMs, source, describe = describeText }: OutcomeDefaults): ParsedOutcome {
    const keys = Object.keys(this.#input);
    const count = Math.min(keys.length, MAX_KEYS);
    for (let index = 0; index < count; index++) this.#readKey(keys[index] ?? '');
    const draft = this.#draft;
    const error = this.#error(describe);
    const success = this.#success(error);
    if (draft.task === undefined && !this.#problems?.some(({ field }) => fieldOf(field) === 'task')) {
      this.#tell(problem('task', undefined, 'the name of the task'));
    }
    if (success === undefined) {
      this.#tell(problem('success', undefined, 'true or false, or an error, or a status such as ok or error'));
    }
    const problems = this.#problems ?? NO_PROBLEMS;
    if (draft.task === undefined || success === undefined) return { problems };
    this.#tokens();
    this.#context();
    draft.id ??= id as OutcomeId; // here a text becomes the id of an outcome
    draft.success = success;
    draft.atMs ??= atMs;
    draft.source ??= source;
    draft.issues ??= NO_ISSUES;
    if (error) draft.error = error;
    return { outcome: draft as Outcome, problems }; // all required fields were just set
  }

  #readKey(key: string): void {
    const field = fieldOf(key);
    const value = readMember(this.#input, key);
    if (value === undefined || (value === null && field !== undefined)) return;
    if (field === undefined || this.#taken.includes(field)) {
      this.#unknownKeys ??= [];
      this.#unknownKeys.push(key);
      return;
    }
    const expected = this.#readField(field, value);
    if (expected === undefined) this.#taken.push(field);
    else this.#tell(problem(key, value, expected));
  }

  #tell(problem: FieldProblem): void {
    this.#problems ??= [];
    this.#problems.push(problem);
  }

  /** Reads one field into the draft. Returns the expected form if the value cannot be read. */
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
        return set(this.#draft, field, values.readName(value) as OutcomeId | undefined, 'a text that is not empty'); // only `id` is branded
      case 'success':
      case 'failed':
        return set(this.#sent, field, values.readSuccess(value), 'true or false');
      case 'status':
        this.#sent.statusOfTask = values.readHttpStatus(value);
        return set(this.#sent, field, values.readSuccess(value), 'ok, error, or an HTTP status');
      case 'at':
        return set(
          this.#draft,
          'atMs',
          this.#draft.atMs ?? values.readTime(value),
          'an ISO date or epoch seconds or milliseconds, 1990 to 2099',
        );
      case 'atMs':
        return set(this.#draft, 'atMs', values.readNumber(value, 0, values.LATEST_MS), 'epoch milliseconds');
      case 'durationMs':
        return set(this.#draft, 'durationMs', values.readDuration(value, 1), 'milliseconds, 0 or more');
      case 'durationS':
        return set(this.#draft, 'durationMs', values.readDuration(value, 1000), 'seconds, 0 or more');
      case 'tokens':
        return set(this.#sent, field, values.readTokens(value), 'an object with input and output counts');
      case 'inputTokens':
      case 'outputTokens':
      case 'cacheReadInputTokens':
        return set(this.#sent, field, values.readTokenCount(value), 'a count of tokens');
      case 'costUsd':
        return set(this.#draft, 'costUsd', values.readNumber(value, 0, 1e9), 'US dollars, 0 or more');
      case 'quality':
        return set(this.#draft, 'quality', values.readNumber(value, 1, 5), 'a number from 1 to 5');
      case 'error':
        return set(this.#sent, field, value, ''); // any value sent as an error is described as one
      case 'errorName':
      case 'errorCode':
        this.#sent[field] = values.readName(value);
        return undefined;
      case 'errorStatus':
        return set(this.#sent, field, values.readHttpStatus(value), 'an HTTP status, 100 to 599');
      case 'retryAfterMs':
        return set(this.#sent, field, values.readDuration(value, 1), 'a time to wait, 0 or more');
      case 'retryAfterS':
        return set(this.#sent, field, values.readDuration(value, 1_000), 'seconds to wait, 0 or more');
      case 'issues':
        return set(this.#draft, 'issues', values.readNames(value, MAX_ISSUES), 'a name or a list of names');
      case 'attempts':
        return set(
          this.#draft,
          'attempts',
          values.readAttempts(value),
          'a list of attempts with success and durationMs',
        );
      case 'expected':
      case 'actual':
        return set(this.#draft, field, typeof value === 'string' ? sanitizeText(value) : shown(value), 'a text');
      case 'severity':
        return set(this.#draft, 'severity', values.readSeverity(value), 'low, medium, high or critical');
      case 'context':
        return set(this.#sent, field, isPlain(value) ? value : undefined, 'an object');
      case 'tags':
        return set(this.#draft, 'tags', values.readNames(value, MAX_TAGS), 'a list of names');
      case 'models':
        return set(this.#draft, 'models', values.readNames(value, MAX_MODELS), 'a list of names');
      case 'managed':
      case 'repeatable':
      case 'endsSession':
        return set(this.#draft, field, typeof value === 'boolean' ? value : undefined, 'true or false');
      case 'weight':
        return set(this.#draft, 'weight', values.readNumber(value, 1, MAX_WEIGHT), `a number from 1 to ${MAX_WEIGHT}`);
      default:
        return field satisfies never;
    }
  }

  #error(describe: (text: string) => OutcomeError): OutcomeError | undefined {
    const { error: stated, errorName: name, errorCode: code, statusOfTask: ofTask } = this.#sent;
    const status = this.#sent.errorStatus ?? (ofTask && ofTask >= 400 ? ofTask : undefined);
    const retryAfterMs = this.#sent.retryAfterMs ?? this.#sent.retryAfterS;
    const failedStatus = status !== undefined && status >= 400;
    if (isNoError(stated) && name === undefined && !failedStatus) return undefined;
    const isAlone = name === undefined && code === undefined && status === undefined && retryAfterMs === undefined;
    if (isAlone && typeof stated === 'string') return describe(stated);
    // Fields beside the error fill in what the error itself leaves open, before its text does.
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

  /**
   * Returns the stated success, or the one that a status implies. Otherwise an error or a named issue means failure.
   */
  #success(error: OutcomeError | undefined): boolean | undefined {
    const { success, failed, status, errorStatus } = this.#sent;
    const stated =
      success ??
      (failed === undefined ? undefined : !failed) ??
      status ??
      (errorStatus === undefined ? undefined : errorStatus < 400);
    if (stated !== undefined) return stated;
    if (error !== undefined || (this.#draft.issues?.length ?? 0) > 0) return false;
    const { expected, actual } = this.#draft;
    return expected === undefined || actual === undefined ? undefined : expected === actual;
  }

  #tokens(): void {
    const { tokens, inputTokens, outputTokens, cacheReadInputTokens = 0 } = this.#sent;
    if (tokens) this.#draft.tokens = tokens;
    else if (inputTokens !== undefined || outputTokens !== undefined) {
      this.#draft.tokens = { input: (inputTokens ?? 0) + cacheReadInputTokens, output: outputTokens ?? 0 };
    }
  }

  #context(): void {
    const stated = this.#sent.context;
    const unknownKeys = this.#unknownKeys;
    if (stated === undefined && unknownKeys === undefined) return;
    const context = {
      ...(unknownKeys && sanitizeMembers(this.#input, unknownKeys)),
      ...(stated && sanitizeObject(stated)),
    };
    if (Object.keys(context).length > 0) this.#draft.context = context;
  }
}

/** Sets a field. Returns the expected form if its value could not be read. */
function set<Into, Name extends keyof Into>(into: Into, name: Name, read: Into[Name] | undefined, expected: string) {
  if (read === undefined) return expected;
  into[name] = read;
  return undefined;
}

const describeText = (text: string) => keepError(describeFacts(readFacts(text)));

/** Redacts a described error. */
export function keepError({ message, name, code, status, retryAfterMs }: OutcomeError): OutcomeError {
  const kept: { -readonly [Name in keyof OutcomeError]: OutcomeError[Name] } = {
    message: sanitizeText(dropCutToken(message)),
  };
  if (name !== undefined) kept.name = sanitizeText(name, MAX_NAME);
  if (code !== undefined) kept.code = sanitizeText(code, MAX_NAME);
  if (status !== undefined) kept.status = status;
  if (retryAfterMs !== undefined) kept.retryAfterMs = retryAfterMs;
  return kept;
}

/** Drops the word at a cut. It may be half of a secret, too short to be recognised as one. */
function dropCutToken(message: string): string {
  return message.endsWith('…') ? message.replace(/\S{0,200}…$/, '…') : message;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNoError(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}

function problem(field: string, value: unknown, expected: string): FieldProblem {
  return { field: sanitizeText(field, MAX_NAME), value: shown(value), expected };
}

/** Returns a value on one short line. */
function shown(value: unknown): string {
  if (typeof value === 'string') return sanitizeText(value, 80);
  if (typeof value === 'object' && value !== null) {
    return sanitizeText(
      JSON.stringify(Array.isArray(value) ? sanitizeObject({ list: value }).list : sanitizeObject(value)),
      80,
    );
  }
  return typeof value === 'symbol' || typeof value === 'function'
    ? `a ${typeof value}`
    : sanitizeText(String(value).slice(0, 80), 80);
}
