import { randomBytes } from 'node:crypto';
import type { BeginOptions, Clock, Deployment, OpenTask, Outcome, ParsedOutcome, RSILoop, StartedTask } from 'rsi-loop';
import { timedId } from '../timed-id.js';

/** Record of a task that was begun here; plain JSON, so that it can be kept over a restart. */
export interface TaskRecord extends Omit<StartedTask, 'managed'> {
  /** Epoch milliseconds. */
  readonly beganMs: number;
  readonly deadlineMs: number;
}

export interface BegunHere {
  readonly record: TaskRecord;
  /** Sender that began the task; only this sender may end it. Absent for a task from before a restart. */
  readonly sender?: string;
  /** Checksum of the request, to detect repeated requests. */
  readonly mark?: number;
  /** Open task; absent, like the mark, for a task from before a restart. */
  readonly open?: OpenTask;
}

/** Body of `POST /tasks`. */
export interface BeginBody extends BeginOptions {
  readonly task: string;
  /** Versions of named texts that the program holds, by name. */
  readonly prompts?: Readonly<Record<string, string>>;
}

/** Name of the store state in which open tasks wait for the next server. */
const STATE = 'http-open-tasks';
const SAVE_ATTEMPTS = 5;

const DEPLOYMENT = ['service', 'version', 'region', 'host'] as const satisfies readonly (keyof Deployment)[];
const SCOPE = ['source', 'session', 'agent', 'parent', 'model', 'models', 'tool', ...DEPLOYMENT] as const;

/** Returns only these fields. Others are unchecked, unlike fields of outcomes, and would become part of one. */
function scopeOf(options: BeginOptions): Pick<TaskRecord, (typeof SCOPE)[number]> {
  return Object.fromEntries(SCOPE.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]])));
}

/** Returns whether the sender allows the task to be repeated, either directly or by a list of models. */
function repeatableOf({ idempotent }: BeginOptions, { mayRepeat }: OpenTask): Pick<TaskRecord, 'repeatable'> {
  if (mayRepeat === true) return { repeatable: true };
  return idempotent === false ? { repeatable: false } : {};
}

/** Returns only the fields that were sent, without defaults. */
function onlyGiven<Fields extends object>(fields: Fields, given: object): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key in given)) as Fields; // fewer of the same
}

/**
 * Tasks that were begun over HTTP and have not ended. Their number is limited. When a server closes, its open tasks go
 * to the next one.
 */
export class OpenTasks {
  readonly #loop: RSILoop;
  readonly #clock: Clock;
  readonly #max: number;
  readonly #maxPerSender: number;
  readonly #counts = new Map<string, number>();
  readonly #tasks = new Map<string, BegunHere>();

  constructor(loop: RSILoop, clock: Clock, max: number) {
    this.#loop = loop;
    this.#clock = clock;
    this.#max = max;
    // A sender that never ends its tasks leaves room for others.
    this.#maxPerSender = Math.ceil(max / 2);
  }

  get size(): number {
    return this.#tasks.size;
  }

  get(id: string): BegunHere | undefined {
    return this.#tasks.get(id);
  }

  /**
   * Begins a task; returns `undefined` if too many are open, in total or for this sender. Tasks past their deadline are
   * dropped first. A task without an id gets one that cannot be guessed; its end is reported under that id.
   */
  begin(
    { task, prompts: _, ...options }: BeginBody,
    { mark, sender }: { readonly mark: number; readonly sender: string },
  ) {
    if (this.#isFull(sender)) this.#sweep();
    if (this.#isFull(sender)) return undefined;
    const beganMs = this.#clock.now();
    const open = this.#loop.begin(task, {
      ...options,
      id: options.id ?? timedId(beganMs, randomBytes(12).toString('hex')),
    });
    // Redacted and shortened in the same way as outcomes.
    const { outcome: kept } = this.#loop.observer.read({ ...scopeOf(options), task, success: true });
    const record: TaskRecord = {
      id: open.id,
      task: kept?.task ?? 'unknown',
      ...repeatableOf(options, open),
      ...onlyGiven(scopeOf(kept ?? {}), options),
      beganMs,
      deadlineMs: open.deadlineMs,
    };
    this.#tasks.set(open.id, { record, open, mark, sender });
    this.#counts.set(sender, (this.#counts.get(sender) ?? 0) + 1);
    return open;
  }

  #isFull(sender: string): boolean {
    return this.#tasks.size >= this.#max || (this.#counts.get(sender) ?? 0) >= this.#maxPerSender;
  }

  /**
   * Builds the outcome of a task that ends from the request and from its record. A task that was not begun here must be
   * named in the request, unless the request repeats an earlier end.
   */
  outcomeOf(
    id: string,
    sent: Readonly<Record<string, unknown>>,
    { hasEnded }: { readonly hasEnded: boolean },
  ): ParsedOutcome {
    const begun = this.#tasks.get(id);
    const task = begun?.record.task ?? (hasEnded ? 'ended' : undefined);
    const named = task === undefined ? sent : { ...sent, task };
    const { outcome, problems } = this.#loop.observer.read(named);
    if (outcome === undefined) return { problems };
    if (begun === undefined) return { outcome: { ...outcome, id: id as Outcome['id'] }, problems }; // id for detecting repeats
    const { beganMs, deadlineMs: _, ...record } = begun.record;
    const tookMs = begun.open
      ? this.#clock.monotonic() - begun.open.startedMs
      : Math.max(0, this.#clock.now() - beganMs);
    const merged: Outcome = {
      ...outcome,
      ...record,
      // The model that answered, if it differs from the first one asked.
      ...(outcome.model !== undefined && { model: outcome.model }),
      durationMs: outcome.durationMs ?? tookMs,
      managed: true,
    };
    return { outcome: merged, problems };
  }

  delete(id: string): void {
    const sender = this.#tasks.get(id)?.sender;
    if (!this.#tasks.delete(id) || sender === undefined) return;
    const left = (this.#counts.get(sender) ?? 1) - 1;
    if (left > 0) this.#counts.set(sender, left);
    else this.#counts.delete(sender);
  }

  /** Takes over the tasks that the last server of this store left open. */
  async restore(): Promise<void> {
    const { store } = this.#loop;
    const saved = await store.snapshots.load(STATE);
    const records = Array.isArray(saved?.value) ? (saved.value as unknown as readonly TaskRecord[]) : []; // `keep` wrote it
    if (saved === undefined || records.length === 0) return;
    // The server that empties the list owns the tasks.
    if (!(await store.snapshots.save(STATE, [], saved.version))) return;
    for (const record of records.slice(-this.#max)) this.#tasks.set(record.id, { record });
  }

  /** Saves the open tasks for the next server. Called once, after the last request. */
  async keep(): Promise<void> {
    const records = [...this.#tasks.values()].map(({ record }) => record);
    if (records.length === 0) return;
    const { store } = this.#loop;
    for (let attempt = 0; attempt < SAVE_ATTEMPTS; attempt++) {
      const saved = await store.snapshots.load(STATE);
      const others = Array.isArray(saved?.value) ? saved.value : [];
      // Records are plain JSON, field by field.
      const value = [...others, ...records].slice(-this.#max) as unknown as Parameters<typeof store.snapshots.save>[1];
      if (await store.snapshots.save(STATE, value, saved?.version ?? 0)) return;
    }
  }

  #sweep(): void {
    const nowMs = this.#clock.now();
    for (const [id, { record }] of this.#tasks) if (record.deadlineMs < nowMs) this.delete(id);
  }
}
