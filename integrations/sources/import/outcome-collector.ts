import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { type ErrorRule, Observer, type Outcome, type OutcomeFields, type OutcomeId } from 'rsi-loop';
import type { Batch, Input, InputProblem } from './importer.js';
import { type ToolError, toolIssues } from './tool-error.js';

/** Task name of an agent's run if its format has no name for it. */
export const AGENT_RUN = 'agent_run';
/** Task name of every model call. Successful calls are included, because the error rate needs them. */
export const MODEL_CALL = 'model_call';

/** Facts about an outcome besides its task and its id; `undefined` ones are unknown. */
export type Facts = { readonly [Name in keyof OutcomeFields]?: OutcomeFields[Name] | undefined } & {
  readonly success: boolean;
};

/**
 * Collector of one input's outcomes since the last batch. Classifies, redacts and shortens like the loop does for a
 * host's records.
 */
export class OutcomeCollector {
  readonly #input: Pick<Input, 'path' | 'atMs'>;
  readonly #observer: Observer;
  /** Id of the outcome that is being built. */
  #id = '';
  #outcomes: Outcome[] = [];
  #skipped: InputProblem[] = [];
  #leftOut: Record<string, number> = {};

  constructor(input: Pick<Input, 'path' | 'atMs'>, source: string, rules: readonly ErrorRule[] = []) {
    this.#input = input;
    this.#observer = new Observer({
      clock: { now: () => input.atMs },
      newId: () => this.#id,
      into: { take: (outcome) => this.#keep(outcome) },
      report: () => {}, // an invalid field is dropped; the outcome stays
      source,
      rules,
    });
  }

  /** Time for records without one. */
  get atMs(): number {
    return this.#input.atMs;
  }

  /** Adds an outcome. `id` is stable: the same if the input is read again. */
  add(task: string, id: string, facts: Facts): void {
    this.#id = id;
    this.#observer.recordSimple(task, facts as OutcomeFields); // the observer skips fields that are undefined
  }

  /** Adds a call of a tool that failed with `error`, or succeeded without one. */
  addCall(tool: string, id: string, facts: Omit<Facts, 'success'>, error: ToolError | undefined): void {
    if (error?.kind === 'not-a-failure') this.ignore(error.reason);
    else this.add(tool, id, { ...facts, tool, success: error === undefined, error: error?.error });
  }

  /**
   * Returns a key for a run whose format gives it no id, made of its file and some of its content. A second run of the
   * same task, or another run written to the same file, gets a different key.
   */
  key(...content: readonly string[]): string {
    const { path } = this.#input;
    const hash = createHash('sha256').update(path === '-' ? path : resolve(path));
    for (const part of content) hash.update('\0').update(part);
    return hash.digest('hex').slice(0, 16);
  }

  /** Counts a record that is valid but deliberately not an outcome. */
  ignore(reason: string): void {
    this.#leftOut[reason] = (this.#leftOut[reason] ?? 0) + 1;
  }

  /** Counts a record that should be an outcome but could not be read. */
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
      ...(outcome.tool !== undefined && { issues: toolIssues(outcome.issues, outcome.error?.name) }),
      id: this.#id as OutcomeId, // an importer makes ids that name one outcome each
    });
  }
}
