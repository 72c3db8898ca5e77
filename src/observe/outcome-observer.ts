import type { Clock } from '../contract/clock.js';
import { DEPLOYMENT_KEYS, type Deployment } from '../contract/deployment.js';
import type { OutcomeId } from '../contract/ids.js';
import type { Issue } from '../contract/issue.js';
import type { LoopField, Outcome } from '../contract/outcome.js';
import { readableFields } from '../lib/readable.js';
import { TenfoldReports } from '../lib/tenfold-reports.js';
import { joinIssues, type Namer } from './namer.js';
import { type FieldProblem, type ParsedOutcome, parseOutcome } from './parse-outcome.js';
import { MAX_NAME, sanitizeDeployment, sanitizeText } from './sanitize.js';
import { type Draft, setField } from './set-field.js';

export interface ObserverOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: (atMs: number) => string;
  /** Receives every outcome. */
  readonly into: OutcomeTaker;
  /** Called for input that could not be read or recorded: the 1st, 10th, 100th ... time each. */
  readonly report: (problem: ObserverProblem) => void;
  /** Source of outcomes that do not state one. Default `generic`. */
  readonly source?: string | undefined;
  /** Deployment of the outcomes that this process records itself. */
  readonly deployment?: Deployment | undefined;
  /** Returns whether a task of this process with this id awaits its end. Default: none does. */
  readonly isBegun?: ((id: OutcomeId) => boolean) | undefined;
}

/** Receiver of the outcomes of an observer. */
export interface OutcomeTaker {
  take(outcome: Outcome): void;
}

/** Problem with an outcome that was given to the loop. */
export interface ObserverProblem {
  readonly where: 'observe';
  readonly message: string;
}

type StatedFields = Partial<Omit<Outcome, LoopField | 'success' | 'error' | 'context'>>;

/** Fields of a task for the fast, typed path. Only `success` is required. */
export interface OutcomeFields extends StatedFields {
  readonly success: boolean;
  /** A text, an `Error`, or any thrown value. */
  readonly error?: unknown;
  readonly retryAfterMs?: number;
  readonly context?: object;
}

/** Task started through the loop, or call whose start was captured. It already has an id. */
export interface StartedTask
  extends Pick<Outcome, 'id' | 'task' | 'session' | 'agent' | 'parent' | 'model' | 'tool' | keyof Deployment>,
    Partial<Pick<Outcome, 'source'>> {
  /** Whether its host allows it to run again after a failure. */
  readonly repeatable?: boolean;
  /** Sanitized models that its caller listed. */
  readonly models?: readonly string[];
  /** `false` if it did not read its policy, so that no trial may count it. Default `true`. */
  readonly managed?: boolean;
}

type NoticedFields = 'agent' | 'session' | 'parent' | 'model' | 'tool' | 'source' | 'issues' | 'expected' | 'actual';

/**
 * Failure that a person or program noticed, even if nothing was thrown. Its `issues` take precedence over the
 * classification of `actual`, which is grouped as the error's message. A sentence about a result has the class of an
 * error only if it says that a service failed; otherwise it is `wrong_output` if a result was expected.
 */
export interface NoticedFailure extends Pick<OutcomeFields, NoticedFields | 'severity' | 'context'> {
  readonly task: string;
}

const FOREIGN_END =
  'an outcome under the id of a task that was begun here was rejected: only the end of its beginner counts';

/** Records how tasks ended. Runs inside the host: never throws, never waits, and emits nothing unredacted. */
export class OutcomeObserver {
  readonly #options: ObserverOptions;
  readonly #source: string;
  readonly #deployment: Deployment | undefined;
  readonly #namer: Namer;
  readonly #problems: TenfoldReports;

  constructor(options: ObserverOptions, namer: Namer) {
    this.#options = options;
    this.#source = options.source ?? 'generic';
    this.#deployment = options.deployment && sanitizeDeployment(options.deployment);
    this.#namer = namer;
    this.#problems = new TenfoldReports((message) => options.report({ where: 'observe', message }));
  }

  /**
   * Records any object, in any of the accepted spellings. Returns the id, or `undefined` if it is not an outcome: it
   * has no task, or nothing states whether it succeeded. That is reported.
   */
  record(input: unknown): OutcomeId | undefined {
    try {
      const atMs = this.#options.clock.now();
      const { outcome, problems } = this.#parse(input, this.#options.newId(atMs), atMs);
      for (const problem of problems) this.#reportField(problem);
      return outcome && this.#emit(this.#deployment === undefined ? outcome : { ...this.#deployment, ...outcome });
    } catch (error) {
      return this.#reportFailure(error);
    }
  }

  /** Records the end of one task on the fast, typed path. A field of a wrong type is reported and left out. */
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

  /** Records the end of a task that the loop started. Its id and the data known at its start come from `started`. */
  recordEnd(started: StartedTask, fields: OutcomeFields): OutcomeId | undefined {
    try {
      const draft = this.#draft(started.id, started.task, this.#options.clock.now());
      if (draft === undefined) return this.record({ ...started, ...readableFields(fields) });
      draft.managed = started.managed ?? true;
      if (started.repeatable !== undefined) draft.repeatable = started.repeatable;
      if (started.models !== undefined) draft.models = started.models;
      for (const name of STARTED_NAMES) {
        const value = started[name];
        if (value !== undefined) draft[name] = sanitizeText(value, MAX_NAME);
      }
      if (this.#fill(draft, fields)) return this.#emit(draft);
      return this.record({
        ...started,
        ...readableFields(fields),
        id: started.id,
        task: started.task,
        managed: started.managed ?? true,
      });
    } catch (error) {
      return this.#reportFailure(error);
    }
  }

  /** Records a noticed failure: the expected result, and the actual one. */
  recordFailure(failure: NoticedFailure): OutcomeId | undefined {
    try {
      const { actual, issues: named } = failure;
      // A caller who names the issue knows more than the text says.
      return this.record({ ...failure, success: false, ...(!named && { error: actual }), issues: named ?? [] });
    } catch (error) {
      return this.#reportFailure(error);
    }
  }

  /**
   * Reads and classifies input like `record`, without recording or reporting anything. For senders that receive their
   * own mistakes. Pass the outcome to `take`; its id is empty if none was sent. `managed` becomes false: only the
   * process that began a task can say otherwise, and a trial counts no other end.
   */
  read(input: unknown): ParsedOutcome {
    const parsed = this.#parse(input, '', this.#options.clock.now());
    const draft: Draft | undefined = parsed.outcome;
    if (draft?.managed) draft.managed = false;
    return parsed;
  }

  /**
   * Records an outcome from `read`, `parseOutcome` or an importer, which is already redacted and truncated.
   * Classifies it and assigns an id if that is missing. Returns the recorded outcome.
   * Returns `undefined` if it could not be recorded, which is reported. Never throws.
   */
  take(outcome: Outcome): Outcome | undefined {
    try {
      // In place: the observer owns it, and a copy of every outcome of a stream would be its largest cost.
      const taken: Draft = outcome;
      if (!taken.managed && this.isBegun(taken.id)) {
        this.#problems.report(FOREIGN_END);
        return undefined;
      }
      if (taken.fingerprint === undefined) this.#namer.complete(taken);
      if (taken.id === '') taken.id = this.#options.newId(taken.atMs) as OutcomeId; // the loop's ids are outcome ids
      this.#emit(taken);
      return taken;
    } catch (error) {
      return this.#reportFailure(error);
    }
  }

  /**
   * Returns whether a task that was begun here under this id is in a trial and has not ended. Only its own `end` counts,
   * so sources reject outcomes that others send under the id.
   */
  isBegun(id: OutcomeId): boolean {
    return this.#options.isBegun?.(id) === true;
  }

  #parse(input: unknown, id: string, atMs: number): ParsedOutcome {
    const { describe } = this.#namer;
    const parsed = parseOutcome(input, { id, atMs, source: this.#source, describe });
    if (parsed.outcome !== undefined) this.#namer.complete(parsed.outcome);
    return parsed;
  }

  #draft(id: OutcomeId, task: unknown, atMs: number): Draft | undefined {
    if (typeof task !== 'string' || task === '') return undefined;
    const named = sanitizeText(task, MAX_NAME);
    const draft: Draft = { id, task: named, success: false, atMs, source: this.#source, issues: NONE };
    return this.#deployment === undefined ? draft : Object.assign(draft, this.#deployment);
  }

  /**
   * Copies well-typed fields into the draft. Returns false if one is not, so that the parser has to read all of them.
   */
  #fill(draft: Draft, fields: OutcomeFields): boolean {
    try {
      return this.#setFields(draft, fields);
    } catch {
      return false; // a getter or a proxy of the host threw
    }
  }

  #setFields(draft: Draft, fields: OutcomeFields): boolean {
    let stated = false;
    let error: unknown;
    let retryAfterMs: number | undefined;
    for (const key in fields) {
      const value: unknown = fields[key as keyof OutcomeFields]; // for-in yields keys of the object
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
        default:
          if (!setField(draft, key, value)) return false;
      }
    }
    if (stated) this.#addError(draft, error, retryAfterMs);
    return stated;
  }

  #addError(draft: Draft, thrown: unknown, retryAfterMs: number | undefined): void {
    if (thrown === undefined || thrown === null) {
      if (!draft.success && draft.issues.length === 0) draft.issues = UNKNOWN;
      return;
    }
    const named = this.#namer.name(thrown);
    draft.error = retryAfterMs === undefined ? named.error : { ...named.error, retryAfterMs };
    if (draft.success) return;
    // The error may repeat the actual result, which people word.
    if (draft.actual !== undefined) {
      this.#namer.complete(draft);
      return;
    }
    draft.issues = joinIssues(named, draft.issues);
    if (named.fingerprint !== undefined) draft.fingerprint = named.fingerprint;
  }

  #emit(outcome: Outcome): OutcomeId {
    this.#options.into.take(outcome);
    return outcome.id;
  }

  #reportField({ field, value, expected }: FieldProblem): void {
    const what = value === 'undefined' ? `${field} is missing` : `cannot read ${field} ${JSON.stringify(value)}`;
    this.#problems.report(`${what}: give ${expected}`);
  }

  #reportFailure(error: unknown): undefined {
    try {
      this.#problems.report(
        `an outcome was not taken: ${sanitizeText(error instanceof Error ? error.message : String(error), MAX_NAME)}`,
      );
    } catch {
      // The report itself failed. The host must not notice.
    }
    return undefined;
  }
}

const NONE: readonly Issue[] = [];
const UNKNOWN: readonly Issue[] = ['unknown'];
/** More than any duration, price, count or time. */
const MAX_AMOUNT = 1e13;
const STARTED_NAMES = ['source', 'session', 'agent', 'parent', 'model', 'tool', ...DEPLOYMENT_KEYS] as const;

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < MAX_AMOUNT;
}
