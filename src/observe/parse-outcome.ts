import { describeFacts } from '../classify/describe-error.js';
import { type Facts, readFacts } from '../classify/facts.js';
import type { OutcomeId } from '../contract/ids.js';
import type { Issue } from '../contract/issue.js';
import type { Outcome, OutcomeError } from '../contract/outcome.js';
import { isObject } from '../lib/is-object.js';
import { FORMS, type Forms, type Meaning, meaningOf } from './fields.js';
import { expectedIn, readField, shortValue } from './read-field.js';
import { MAX_NAME, readMember, sanitizeMembers, sanitizeObject, sanitizeText } from './sanitize.js';
import { sanitizeError } from './sanitize-error.js';

/** Field that was sent and could not be read. */
export interface FieldProblem {
  /** Name of the field, as it was sent. */
  readonly field: string;
  /** Value, shortened and redacted. */
  readonly value: string;
  /** Description of what can be read there. */
  readonly expected: string;
}

/** Outcome read from a value of unknown form, with what was wrong in it. */
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
type Sent = { -readonly [Name in keyof Forms]?: Forms[Name] } & { error?: unknown; context?: object };

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
  readonly #sent: Sent = {};
  #problems: FieldProblem[] | undefined;
  #unknownKeys: string[] | undefined;
  /** Fields that a key has already filled. The first key wins; later ones go to `context`. */
  readonly #taken: Meaning['name'][] = [];

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
    if (draft.task === undefined && !this.#problems?.some(({ field }) => meaningOf(field)?.name === 'task')) {
      this.#report(problem('task', undefined, 'the name of the task'));
    }
    if (success === undefined) {
      this.#report(problem('success', undefined, 'true or false, or an error, or a status such as ok or error'));
    }
    const problems = this.#problems ?? NO_PROBLEMS;
    if (draft.task === undefined || success === undefined) return { problems };
    this.#tokens();
    this.#context();
    draft.id ??= id as OutcomeId; // here a text becomes the id of an outcome
    draft.success = success;
    draft.atMs ??= this.#sent.at ?? atMs;
    if (this.#sent.durationS !== undefined) draft.durationMs ??= this.#sent.durationS;
    draft.source ??= source;
    draft.issues ??= NO_ISSUES;
    if (error) draft.error = error;
    return { outcome: draft as Outcome, problems }; // all required fields were just set
  }

  #readKey(key: string): void {
    const meaning = meaningOf(key);
    const value = readMember(this.#input, key);
    if (value === undefined || (value === null && meaning !== undefined)) return;
    if (meaning === undefined || this.#taken.includes(meaning.name)) {
      this.#unknownKeys ??= [];
      this.#unknownKeys.push(key);
      return;
    }
    const expected = meaning.kind === 'form' ? this.#readForm(meaning.name, value) : this.#readField(meaning, value);
    if (expected === undefined) this.#taken.push(meaning.name);
    else this.#report(problem(key, value, expected));
  }

  #report(problem: FieldProblem): void {
    this.#problems ??= [];
    this.#problems.push(problem);
  }

  /** Reads one form. Returns the expected one if the value cannot be read. */
  #readForm<Name extends keyof Forms>(name: Name, value: unknown): string | undefined {
    const read = FORMS[name].read(value);
    if (read === undefined) return FORMS[name].expected;
    this.#sent[name] = read as Sent[Name]; // the form of this name reads values of its type
    return undefined;
  }

  /** Reads one field into the draft. Returns the expected form if the value cannot be read. */
  #readField({ name, field }: Extract<Meaning, { kind: 'field' }>, value: unknown): string | undefined {
    if (name === 'error') this.#sent.error = value;
    else if (name === 'context' && isObject(value)) this.#sent.context = value;
    else {
      const read = readField(field, value);
      if (read === undefined) return expectedIn(field);
      (this.#draft as Record<string, unknown>)[name] = read; // the row of this name reads values of its type
    }
    return undefined;
  }

  #error(describe: (text: string) => OutcomeError): OutcomeError | undefined {
    const { error: stated, errorName: name, errorCode: code, status: ofTask } = this.#sent;
    const status = this.#sent.errorStatus ?? (ofTask?.success === false ? ofTask.httpStatus : undefined);
    const retryAfterMs = this.#sent.retryAfterMs ?? this.#sent.retryAfterS;
    const failedStatus = status !== undefined && status >= 400;
    if (isNoError(stated) && name === undefined && !failedStatus) return undefined;
    const isAlone = name === undefined && code === undefined && status === undefined && retryAfterMs === undefined;
    if (isAlone && typeof stated === 'string') return describe(stated);
    // Fields beside the error fill in what the error itself leaves open, before its text does.
    const layers = readFacts(isNoError(stated) ? '' : stated);
    fillIn(layers, { name, code, status, retryAfterMs });
    return sanitizeError(describeFacts(layers));
  }

  /**
   * Returns the stated success, or the one that a status implies. Otherwise an error or a named issue means failure.
   */
  #success(error: OutcomeError | undefined): boolean | undefined {
    const { failed, status, errorStatus } = this.#sent;
    const stated =
      this.#draft.success ??
      (failed === undefined ? undefined : !failed) ??
      status?.success ??
      (errorStatus === undefined ? undefined : errorStatus < 400);
    if (stated !== undefined) return stated;
    if (error !== undefined || (this.#draft.issues?.length ?? 0) > 0) return false;
    const { expected, actual } = this.#draft;
    return expected === undefined || actual === undefined ? undefined : expected === actual;
  }

  #tokens(): void {
    const { inputTokens, outputTokens, cacheReadInputTokens = 0 } = this.#sent;
    if (this.#draft.tokens === undefined && (inputTokens !== undefined || outputTokens !== undefined)) {
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

const describeText = (text: string) => sanitizeError(describeFacts(readFacts(text)));

type StatedBeside = { readonly [Name in 'name' | 'code' | 'status' | 'retryAfterMs']: Facts[Name] | undefined };

/** Fills in what the outer error leaves open. A status counts only if no layer has one. */
function fillIn(layers: readonly Facts[], { name, code, status, retryAfterMs }: StatedBeside): void {
  const [outer] = layers;
  if (outer === undefined) return;
  if (name !== undefined) outer.name ??= name;
  if (code !== undefined) outer.code ??= code;
  if (status !== undefined && !layers.some((facts) => facts.status !== undefined)) outer.status = status;
  if (retryAfterMs !== undefined) outer.retryAfterMs ??= retryAfterMs;
}

function isNoError(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}

function problem(field: string, value: unknown, expected: string): FieldProblem {
  return { field: sanitizeText(field, MAX_NAME), value: shortValue(value), expected };
}
