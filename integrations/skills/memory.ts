import { type Clock, type Json, LoopError, redact } from 'rsi-loop';
import { comparing, hashing, type ImprovementLog, isObject, recordedText } from 'rsi-loop/kit';
import type { FormerFailure } from './ask-model.js';
import type { SkillStatus, SkillSummary } from './skill.js';

/** Directive in the queue. */
export interface Directive {
  readonly id: string;
  readonly directive: string;
  readonly examples: readonly (readonly [input: Json, output: Json])[];
  readonly status: 'queued' | 'learned' | 'failed';
  readonly atMs: number;
  /** Skill that came out of it, or why there is none. */
  readonly result?: string;
}

export interface NotedFailure extends FormerFailure {
  readonly atMs: number;
}

/** Memory of an agent about its skills, as `memory.json` holds it. */
export interface MemoryView {
  readonly version: 1;
  readonly skills: Readonly<
    Record<string, { readonly status: SkillStatus; readonly description: string; readonly hash: string }>
  >;
  /** The last 50, oldest first. */
  readonly failures: readonly (NotedFailure & { readonly task: string; readonly error: string })[];
  readonly directives: readonly Directive[];
}

/** Step of the memory: a failure, or a directive that was queued or ended. */
export type MemoryStep =
  | ({ readonly kind: 'failure' } & NotedFailure)
  | ({ readonly kind: 'queued' } & Omit<Directive, 'status'>)
  | {
      readonly kind: 'done';
      readonly id: string;
      readonly ok: boolean;
      readonly result: string;
      readonly atMs: number;
    };

const FAILURES = 'failures';
const DIRECTIVES = 'directives';
const MAX_FAILURES = 50;
const MAX_SHOWN = 5;
/** Minimum similarity of a failure's directive to another directive. */
const SIMILAR = 0.15;
const MAX_BYTES = 1_000;

/** Failures and directives of a folder, kept across processes. */
export class SkillMemory {
  readonly #log: ImprovementLog<MemoryStep>;
  readonly #clock: Pick<Clock, 'now'>;
  #failures: NotedFailure[] = [];
  readonly #directives = new Map<string, Directive>();

  constructor(log: ImprovementLog<MemoryStep>, clock: Pick<Clock, 'now'>) {
    this.#log = log;
    this.#clock = clock;
  }

  async open(): Promise<void> {
    for (const step of await this.#log.load(FAILURES)) this.#take(step);
    for (const step of await this.#log.load(DIRECTIVES)) this.#take(step);
  }

  /** Returns failures of this directive and of similar ones, newest first. */
  former(directive: string): readonly FormerFailure[] {
    const newest = [...this.#failures].reverse();
    const scores = comparing.similarities(
      comparing.termsOf(directive),
      newest.map((one) => comparing.termsOf(one.directive)),
    );
    return newest.filter((_, at) => (scores[at] ?? 0) >= SIMILAR).slice(0, MAX_SHOWN);
  }

  get directives(): readonly Directive[] {
    return [...this.#directives.values()];
  }

  async noteFailure({ directive, problem, cause }: FormerFailure): Promise<void> {
    const cut = (text: string) => recordedText(redact(text), MAX_BYTES);
    const failure = { directive: cut(directive), problem: cut(problem), cause: cut(cause) };
    await this.#add(FAILURES, { kind: 'failure', ...failure, atMs: this.#clock.now() });
  }

  /** Adds a directive to the queue. The same directive with the same examples is there once. */
  async queue(directive: string, examples: Directive['examples']): Promise<Directive> {
    const id = hashing.hashHex(JSON.stringify([directive, examples]));
    const known = this.#directives.get(id);
    if (known?.status !== 'queued')
      await this.#add(DIRECTIVES, { kind: 'queued', id, directive, examples, atMs: this.#clock.now() });
    return this.#directives.get(id) as Directive; // just added
  }

  async end(id: string, ok: boolean, result: string): Promise<void> {
    await this.#add(DIRECTIVES, { kind: 'done', id, ok, result: recordedText(result), atMs: this.#clock.now() });
  }

  view(skills: readonly SkillSummary[]): MemoryView {
    return {
      version: 1,
      skills: Object.fromEntries(
        skills.map(({ name, status, description, hash }) => [name, { status, description, hash }]),
      ),
      failures: this.#failures.map((one) => ({ ...one, task: one.directive, error: one.problem })),
      directives: this.directives,
    };
  }

  /**
   * Adds the failures and open directives of a `memory.json` of any agent. Returns how many were new.
   * @throws LoopError `invalid-input` for a text that is not such a document.
   */
  async import(text: string): Promise<{ readonly failures: number; readonly directives: number }> {
    const value = parsed(text);
    const failures = listOf(value.failures).flatMap((one) => failureOf(one) ?? []);
    const isKnown = (one: FormerFailure) =>
      this.#failures.some((other) => other.directive === one.directive && other.problem === one.problem);
    const fresh = failures.filter((one) => !isKnown(one));
    for (const failure of fresh) await this.noteFailure(failure);
    const known = new Set(this.directives.map((one) => one.directive));
    const open = [...listOf(value.directives), ...pendingOf(value)].flatMap((one) => directiveOf(one) ?? []);
    const unknown = open.filter(({ directive }) => !known.has(directive));
    for (const { directive, examples } of unknown) await this.queue(directive, examples);
    return { failures: fresh.length, directives: unknown.length };
  }

  async #add(id: string, step: MemoryStep): Promise<void> {
    await this.#log.add(id, step);
    this.#take(step);
  }

  #take(step: MemoryStep): void {
    switch (step.kind) {
      case 'failure': {
        const { kind: _, ...failure } = step;
        this.#failures = [...this.#failures, failure].slice(-MAX_FAILURES);
        return;
      }
      case 'queued': {
        const { kind: _, ...directive } = step;
        this.#directives.set(step.id, { ...directive, status: 'queued' });
        return;
      }
      case 'done': {
        const known = this.#directives.get(step.id);
        if (known)
          this.#directives.set(step.id, { ...known, status: step.ok ? 'learned' : 'failed', result: step.result });
        return;
      }
      default:
        step satisfies never;
    }
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new LoopError('invalid-input', 'the memory is not JSON: give a memory.json', { cause: error });
  }
  const isMemory = isObject(value) && (Array.isArray(value.failures) || Array.isArray(value.directives));
  if (isObject(value) && (isMemory || pendingOf(value).length > 0)) return value;
  throw new LoopError('invalid-input', 'the memory has no list of failures or directives: give a memory.json');
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(-1_000) : [];
}

function failureOf(value: unknown): FormerFailure | undefined {
  if (!isObject(value)) return undefined;
  const directive = value.directive ?? value.task ?? value.skill;
  const problem = value.problem ?? value.error ?? value.description;
  if (typeof directive !== 'string' || typeof problem !== 'string') return undefined;
  return {
    directive: recordedText(directive, MAX_BYTES),
    problem: recordedText(problem, MAX_BYTES),
    cause: typeof value.cause === 'string' ? value.cause : '',
  };
}

/** Words of agents for a directive that is not learned yet. */
const OPEN: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'queued',
  'pending',
  'open',
  'active',
  'in-progress',
  'in_progress',
]);

/** Returns the directive that an agent was working on, which some keep beside the list. */
function pendingOf(value: Readonly<Record<string, unknown>>): readonly unknown[] {
  const pending = value.pendingDirective ?? value.pending_directive ?? value.pending;
  return (Array.isArray(pending) ? pending : [pending]).filter((one) => typeof one === 'string' || isObject(one));
}

/** Returns a directive that still has to be learned. */
function directiveOf(value: unknown): Pick<Directive, 'directive' | 'examples'> | undefined {
  if (typeof value === 'string')
    return value.trim() === '' ? undefined : { directive: recordedText(value), examples: [] };
  if (!isObject(value) || typeof value.directive !== 'string' || value.directive.trim() === '') return undefined;
  if (typeof value.status === 'string' && !OPEN.has(value.status)) return undefined;
  const isPair = (one: unknown): one is readonly [Json, Json] => Array.isArray(one) && one.length === 2;
  return { directive: recordedText(value.directive), examples: listOf(value.examples).filter(isPair) };
}
