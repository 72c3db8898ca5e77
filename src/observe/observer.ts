import type { ErrorRule } from '../classify/classify-error.js';
import type { Clock } from '../contract/clock.js';
import type { OutcomeId } from '../contract/ids.js';
import type { Issue, Severity } from '../contract/issue.js';
import type { Attempt, Outcome, TokenUse } from '../contract/outcome.js';
import { readableFields } from '../lib/readable.js';
import { ErrorNamer, joinIssues } from './error-namer.js';
import { type FieldProblem, MAX_ISSUES, MAX_TAGS, type ParsedOutcome, parseOutcome } from './normalize.js';
import { MAX_NAME, sanitizeObject, sanitizeText } from './sanitize.js';
import { readAttempts, readNames, readSeverity, tokenUse } from './values.js';

export interface ObserverOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: (atMs: number) => string;
  /** Takes every outcome. */
  readonly emit: (outcome: Outcome) => void;
  /** Hears what could not be read or taken: the 1st, 10th, 100th ... time each. */
  readonly report: (problem: ObserverProblem) => void;
  /** Where outcomes come from that do not say so. Default `generic`. */
  readonly source?: string;
  /** Rules of the user's own for naming errors. */
  readonly rules?: readonly ErrorRule[];
}

export interface ObserverProblem {
  readonly where: 'observe';
  readonly message: string;
}

/** What can be said of a task in the typed, fast way. Everything but `success` may be left out. */
export interface OutcomeFields {
  readonly success: boolean;
  /** A text, an `Error`, or whatever was thrown. */
  readonly error?: unknown;
  readonly atMs?: number;
  readonly source?: string;
  readonly session?: string;
  /** This was the last task of its session. */
  readonly endsSession?: boolean;
  readonly agent?: string;
  /** Id of the enclosing task. */
  readonly parent?: string;
  readonly model?: string;
  readonly tool?: string;
  readonly durationMs?: number;
  readonly tokens?: TokenUse;
  readonly costUsd?: number;
  /** 1 (useless) to 5 (perfect). */
  readonly quality?: number;
  readonly issues?: readonly Issue[];
  readonly expected?: string;
  readonly actual?: string;
  readonly severity?: Severity;
  readonly context?: object;
  readonly tags?: readonly string[];
  readonly retryAfterMs?: number;
  readonly attempts?: readonly Attempt[];
}

/** A task that was begun through the loop, or a call that was seen to begin: it has an id already. */
export interface StartedTask
  extends Pick<Outcome, 'id' | 'task' | 'session' | 'agent' | 'parent' | 'model' | 'tool'>,
    Partial<Pick<Outcome, 'source'>> {
  /** What its host said about running it again after a failure. */
  readonly repeatable?: boolean;
  /** The models that its caller listed, as they are kept. */
  readonly models?: readonly string[];
  /** `false`: it did not read its policy, so that no trial may count on it. Default `true`. */
  readonly managed?: boolean;
}

/** A failure that somebody noticed, also where nothing was thrown. */
export interface NoticedFailure {
  readonly task: string;
  readonly agent?: string;
  readonly session?: string;
  /** Id of the enclosing task. */
  readonly parent?: string;
  readonly model?: string;
  readonly tool?: string;
  readonly source?: string;
  /** What went wrong, where you know it, e.g. `incomplete_task`: it goes before what the text is classified as. */
  readonly issues?: readonly Issue[];
  readonly expected?: string;
  /** What happened instead; it is classified and grouped as the error's message. */
  readonly actual?: string;
  readonly severity?: Severity;
  readonly context?: object;
}

type Draft = { -readonly [Name in keyof Outcome]: Outcome[Name] };

/** Takes in how tasks ended. A guest in the host: never throws, never waits, and keeps nothing unredacted. */
export class Observer {
  readonly #options: ObserverOptions;
  readonly #source: string;
  readonly #namer: ErrorNamer;
  readonly #problems = new Map<string, number>();

  constructor(options: ObserverOptions) {
    this.#options = options;
    this.#source = options.source ?? 'generic';
    this.#namer = new ErrorNamer(options.rules);
  }

  /**
   * Records whatever people send, in any of the accepted spellings. Gives the id, or `undefined` when it holds no
   * outcome (no task, or nothing that says whether it succeeded); that is reported.
   */
  record(input: unknown): OutcomeId | undefined {
    try {
      const atMs = this.#options.clock.now();
      const { outcome, problems } = this.#parse(input, this.#options.newId(atMs), atMs);
      for (const problem of problems) this.#reportField(problem);
      return outcome && this.#emit(outcome);
    } catch (error) {
      return this.#reportFailure(error);
    }
  }

  /** Records the end of one task, in the typed and fast way. A field of a wrong type is reported and left out. */
  recordSimple(task: string, fields: OutcomeFields): OutcomeId | undefined {
    try {
      const atMs = this.#options.clock.now();
      const draft = this.#draft(this.#options.newId(atMs) as OutcomeId, task, atMs); // the loop's ids are outcome ids
      if (draft && this.#fill(draft, fields)) return this.#emit(draft);
      return this.record({ ...readableFields(fields), task });
    } catch (error) {
      return this.#reportFailure(error);
    }
  }

  /** Records the end of a task that the loop began: its id and what was known before it started come from there. */
  recordEnd(begun: StartedTask, fields: OutcomeFields): OutcomeId | undefined {
    try {
      const draft = this.#draft(begun.id, begun.task, this.#options.clock.now());
      if (draft === undefined) return this.record({ ...begun, ...readableFields(fields) });
      draft.managed = begun.managed ?? true;
      if (begun.repeatable !== undefined) draft.repeatable = begun.repeatable;
      if (begun.models !== undefined) draft.models = begun.models;
      for (const name of BEGUN_NAMES) {
        const value = begun[name];
        if (value !== undefined) draft[name] = sanitizeText(value, MAX_NAME);
      }
      if (this.#fill(draft, fields)) return this.#emit(draft);
      return this.record({
        ...begun,
        ...readableFields(fields),
        id: begun.id,
        task: begun.task,
        managed: begun.managed ?? true,
      });
    } catch (error) {
      return this.#reportFailure(error);
    }
  }

  /** Records a failure that somebody noticed: what was expected, and what came instead. */
  recordFailure(failure: NoticedFailure): OutcomeId | undefined {
    try {
      const { actual, expected, issues: named } = failure;
      const classified = actual === undefined ? 'unknown' : this.#namer.name(actual).issues[0];
      const differed = expected !== undefined && classified === 'unknown' && actual !== undefined;
      const issues = named ?? (differed ? ['wrong_output'] : []);
      // Whoever names the issue has seen more than the words say.
      return this.record({ ...failure, success: false, ...(!named && { error: actual }), issues });
    } catch (error) {
      return this.#reportFailure(error);
    }
  }

  /**
   * Reads and classifies what people send as `record` does, without recording or reporting anything: for senders who are
   * told of their own mistakes. The outcome goes to `take`; its id is empty where none was sent.
   */
  read(input: unknown): ParsedOutcome {
    return this.#parse(input, '', this.#options.clock.now());
  }

  /**
   * Takes over an outcome that `read`, `parseOutcome` or an importer made; those are redacted and cut already. It is
   * classified unless it was, and gets an id unless it has one. Gives it as it was recorded; `undefined` when it could not
   * be, which is reported. Never throws.
   */
  take(outcome: Outcome): Outcome | undefined {
    try {
      // In place: it is ours now, and a copy of every outcome of a stream would be its largest cost.
      const taken: Draft = outcome;
      if (taken.fingerprint === undefined) this.#namer.complete(taken);
      if (taken.id === '') taken.id = this.#options.newId(taken.atMs) as OutcomeId; // the loop's ids are outcome ids
      this.#emit(taken);
      return taken;
    } catch (error) {
      return this.#reportFailure(error);
    }
  }

  #parse(input: unknown, id: string, atMs: number): ParsedOutcome {
    const { describe } = this.#namer;
    const parsed = parseOutcome(input, { id, atMs, source: this.#source, describe });
    if (parsed.outcome !== undefined) this.#namer.complete(parsed.outcome);
    return parsed;
  }

  #draft(id: OutcomeId, task: unknown, atMs: number): Draft | undefined {
    if (typeof task !== 'string' || task === '') return undefined;
    return { id, task: sanitizeText(task, MAX_NAME), success: false, atMs, source: this.#source, issues: NONE };
  }

  /** Lays well-typed fields over the draft; false when one is not, and the border parser has to look at all of them. */
  #fill(draft: Draft, fields: OutcomeFields): boolean {
    try {
      return this.#lay(draft, fields);
    } catch {
      return false; // a getter or a proxy of the host threw
    }
  }

  #lay(draft: Draft, fields: OutcomeFields): boolean {
    let stated = false;
    let error: unknown;
    let retryAfterMs: number | undefined;
    for (const key in fields) {
      const value: unknown = fields[key as keyof OutcomeFields]; // for-in gives keys of the object
      if (value === undefined) continue;
      switch (key) {
        case 'success':
          if (typeof value !== 'boolean') return false;
          draft.success = value;
          stated = true;
          break;
        case 'error':
          error = value;
          break;
        case 'retryAfterMs':
          if (!isAmount(value)) return false;
          retryAfterMs = value;
          break;
        case 'context':
          if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
          draft.context = sanitizeObject(value);
          break;
        default:
          if (!layField(draft, key, value)) return false;
      }
    }
    if (!stated) return false;
    if (error !== undefined && error !== null) this.#addError(draft, error, retryAfterMs);
    else if (!draft.success && draft.issues.length === 0) draft.issues = UNKNOWN;
    return true;
  }

  #addError(draft: Draft, thrown: unknown, retryAfterMs: number | undefined): void {
    const named = this.#namer.name(thrown);
    draft.error = retryAfterMs === undefined ? named.error : { ...named.error, retryAfterMs };
    if (draft.success) return;
    draft.issues = joinIssues(named, draft.issues);
    draft.fingerprint = named.fingerprint;
  }

  #emit(outcome: Outcome): OutcomeId {
    this.#options.emit(outcome);
    return outcome.id;
  }

  #reportField({ field, value, expected }: FieldProblem): void {
    const what = value === 'undefined' ? `${field} is missing` : `cannot read ${field} ${JSON.stringify(value)}`;
    this.#report(`${what}: give ${expected}`);
  }

  #reportFailure(error: unknown): undefined {
    try {
      this.#report(
        `an outcome was not taken: ${sanitizeText(error instanceof Error ? error.message : String(error), MAX_NAME)}`,
      );
    } catch {
      // The report itself failed, and the host must not hear of it.
    }
    return undefined;
  }

  /** A host that sends the same mistake a million times hears of it seven times. */
  #report(message: string): void {
    const count = (this.#problems.get(message) ?? 0) + 1;
    if (this.#problems.size >= MAX_PROBLEMS && count === 1) this.#problems.clear();
    this.#problems.set(message, count);
    if (!Number.isInteger(Math.log10(count))) return;
    this.#options.report({ where: 'observe', message: count === 1 ? message : `${message} (${count} times)` });
  }
}

const NONE: readonly Issue[] = [];
const UNKNOWN: readonly Issue[] = ['unknown'];
/** Beyond any duration, price, count or time. */
const MAX_AMOUNT = 1e13;
const MAX_PROBLEMS = 256;
const BEGUN_NAMES = ['source', 'session', 'agent', 'parent', 'model', 'tool'] as const;

/** Lays one field over the draft if it is one of ours and of its type. */
function layField(draft: Draft, key: string, value: unknown): boolean {
  switch (key) {
    // The frequent ones are laid where they are named: a name that varies costs several times as much.
    case 'source':
      if (isName(value)) draft.source = sanitizeText(value, MAX_NAME);
      return isName(value);
    case 'session':
      if (isName(value)) draft.session = sanitizeText(value, MAX_NAME);
      return isName(value);
    case 'agent':
      if (isName(value)) draft.agent = sanitizeText(value, MAX_NAME);
      return isName(value);
    case 'parent':
      if (isName(value)) draft.parent = sanitizeText(value, MAX_NAME);
      return isName(value);
    case 'model':
      if (isName(value)) draft.model = sanitizeText(value, MAX_NAME);
      return isName(value);
    case 'tool':
      if (isName(value)) draft.tool = sanitizeText(value, MAX_NAME);
      return isName(value);
    case 'durationMs':
      if (isAmount(value)) draft.durationMs = value;
      return isAmount(value);
    case 'costUsd':
      if (isAmount(value)) draft.costUsd = value;
      return isAmount(value);
    case 'atMs':
      if (isAmount(value)) draft.atMs = value;
      return isAmount(value);
    case 'quality':
      return isAmount(value) && value >= 1 && value <= 5 && lay(draft, key, value);
    case 'tokens': {
      const { input, output, cachedInput } = value as Partial<TokenUse>; // checked in the next line
      if (!isAmount(input) || !isAmount(output)) return false;
      draft.tokens = tokenUse(input, output, isAmount(cachedInput) ? cachedInput : 0);
      return true;
    }
    case 'expected':
    case 'actual':
      return typeof value === 'string' && lay(draft, key, sanitizeText(value));
    case 'issues':
      return lay(draft, key, readNames(value, MAX_ISSUES));
    case 'tags':
      return lay(draft, key, readNames(value, MAX_TAGS));
    case 'attempts':
      return lay(draft, key, readAttempts(value));
    case 'severity':
      return lay(draft, key, readSeverity(value));
    case 'endsSession':
      return typeof value === 'boolean' && lay(draft, key, value);
    default:
      return false;
  }
}

function lay<Name extends keyof Outcome>(draft: Draft, name: Name, value: Outcome[Name] | undefined): boolean {
  if (value === undefined) return false;
  (draft as { [Key in keyof Outcome]: Outcome[Key] })[name] = value; // a draft is an outcome that may still be written
  return true;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < MAX_AMOUNT;
}
