import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { type ErrorRule, Observer, type Outcome, type OutcomeFields, type OutcomeId } from 'rsi-loop';
import type { Batch, Input, InputProblem } from './importer.js';
import { toolIssues } from './tool-error.js';

/** The task that a run of an agent is, where its format gives it no name of its own. */
export const AGENT_RUN = 'agent_run';
/** Every call of a model is a task of this name: without the ones that went well, its errors would have no rate. */
export const MODEL_CALL = 'model_call';

/** An outcome as an importer found it; what is `undefined` is not known. */
export type RawOutcome = { readonly [Name in keyof OutcomeFields]?: OutcomeFields[Name] | undefined } & {
  readonly task: string;
  readonly success: boolean;
  /** The same whenever the input is read again. */
  readonly id: string;
};

/** What one input gave since the last batch. Names errors, redacts and cuts as the loop does for what a host records. */
export class OutcomeCollector {
  readonly #input: Pick<Input, 'path' | 'atMs'>;
  readonly #observer: Observer;
  /** Of the outcome that is being made. */
  #id = '';
  #outcomes: Outcome[] = [];
  #skipped: InputProblem[] = [];
  #leftOut: Record<string, number> = {};

  constructor(input: Pick<Input, 'path' | 'atMs'>, source: string, rules: readonly ErrorRule[] = []) {
    this.#input = input;
    this.#observer = new Observer({
      clock: { now: () => input.atMs },
      newId: () => this.#id,
      emit: (outcome) => this.#keep(outcome),
      report: () => {}, // a field that is no such field is left out; the outcome stays
      source,
      rules,
    });
  }

  /** For records that state no time. */
  get atMs(): number {
    return this.#input.atMs;
  }

  add({ task, id, ...fields }: RawOutcome): void {
    this.#id = id;
    this.#observer.recordSimple(task, { ...dropUnknown(fields), atMs: fields.atMs ?? this.#input.atMs });
  }

  /**
   * Names a run whose format gives it no id: by its file and by something of its content, so that neither a second run of
   * the same task nor another one written to the same file is taken for it.
   */
  key(...content: readonly string[]): string {
    const { path } = this.#input;
    const hash = createHash('sha256').update(path === '-' ? path : resolve(path));
    for (const part of content) hash.update('\0').update(part);
    return hash.digest('hex').slice(0, 16);
  }

  /** Something that was read well and is no outcome, on purpose. */
  ignore(reason: string): void {
    this.#leftOut[reason] = (this.#leftOut[reason] ?? 0) + 1;
  }

  /** Something that should have been an outcome and could not be read. */
  reject(reason: string, line?: number): void {
    this.#skipped.push({ path: this.#input.path, ...(line !== undefined && { line }), reason });
  }

  batch(lines: number, bytes: number): Batch {
    const batch = { outcomes: this.#outcomes, skipped: this.#skipped, leftOut: this.#leftOut, lines, bytes };
    this.#outcomes = [];
    this.#skipped = [];
    this.#leftOut = {};
    return batch;
  }

  #keep(outcome: Outcome): void {
    this.#outcomes.push({
      ...outcome,
      ...(outcome.tool !== undefined && { issues: toolIssues(outcome.issues) }),
      id: this.#id as OutcomeId, // an importer makes ids that name one outcome each
    });
  }
}

/** Sorts by time, and names the record. Without a time of its own it does not depend on when the file was written. */
export function timedId(atMs: number | undefined, own: string): string {
  return `${Math.max(0, Math.floor(atMs ?? 0))
    .toString(36)
    .padStart(9, '0')}-${own}`;
}

function dropUnknown(fields: Omit<RawOutcome, 'task' | 'id'>): OutcomeFields {
  const known: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) known[name] = value;
  return known as unknown as OutcomeFields; // the same fields without those that are not known
}
