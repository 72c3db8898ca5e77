import type { JsonSchema } from './lib/json-schema.js';
import type { Decision, Fix, JournalRecord, Json, LedgerEntry, TokenUse } from './records.js';

/** Time, for the loop and everything in it. Tests and simulations bring a manual one. */
export interface Clock {
  /** Epoch milliseconds; may jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds that never go back; for durations. */
  monotonic(): number;
  /** Calls `run` once after `delayMs` and gives the function that cancels it. `background` timers never keep the process alive. */
  after(delayMs: number, run: () => void, options?: { readonly background?: boolean }): () => void;
}

/** The two logs: `journal` (starts and outcomes, high volume, with retention) and `ledger` (decisions, kept for ever). */
export type Logs = { readonly journal: JournalRecord; readonly ledger: LedgerEntry };
export type LogName = keyof Logs;

/**
 * How many records of each writer have been read. Records of one writer are numbered from 0 in the order they were
 * written; those taken by retention, erasure or damage are skipped, never renumbered. The ledger has one writer, `ledger`.
 */
export type Cursor = Readonly<Record<string, number>>;

export interface Stored<Record> {
  readonly writer: string;
  /** Position of the record among those of its writer. */
  readonly position: number;
  readonly record: Record;
}

/** Where the ledger ends: the number of its entries and the hash of the last one (`''` when empty). */
export interface LedgerHead {
  readonly length: number;
  readonly hash: string;
  /**
   * Why the entries cannot be trusted: one of them was edited, removed or added outside of `decide`. The loop then runs no
   * trial and gives no advice. Only stores that keep entries where others can write need to check.
   */
  readonly broken?: string;
}

export type AppendResult =
  | { readonly kind: 'ok'; readonly head: LedgerHead }
  /** Somebody else appended first: read up to `head`, decide again, append again. */
  | { readonly kind: 'conflict'; readonly head: LedgerHead };

/** Named state as it was last saved. `version` counts the saves from 1. */
export interface Saved {
  readonly version: number;
  readonly value: Snapshot;
}

/** The right to do something that only one process may do at a time. */
export interface Lease {
  /** Higher than that of every earlier holder: whoever sees a higher one has been replaced. */
  readonly fence: number;
  /** False once another process took over; ask before every step that must not be done twice. */
  held(): Promise<boolean>;
  release(): Promise<void>;
}

/** What is known of a process that writes the journal. */
export interface WriterState {
  readonly writer: string;
  readonly alive: boolean;
  /** Epoch milliseconds by the writer's clock: what it wrote before this moment can be read now. */
  readonly watermarkMs: number;
}

/** Which records of the journal to erase: those that match every field given. */
export interface EraseFilter {
  readonly session?: string;
  readonly agent?: string;
  readonly source?: string;
  /** Somewhere in the record, exactly as written here. */
  readonly text?: string;
}

export interface EraseOptions {
  /** The person or program that asked; kept with the receipt in the ledger. Default `host`. */
  readonly by?: string;
  /** Counts what would be erased and changes nothing. Default false. */
  readonly dryRun?: boolean;
}

/** Result of an erasure, or of its dry run. */
export interface EraseReceipt {
  /** Records of the journal. */
  readonly records: number;
  /** Decisions in which words of those records were replaced by `[erased]`. */
  readonly decisions: number;
  /** Other files that were removed: saved state, copies of damaged records, what hooks left. */
  readonly files: number;
  /**
   * Processes that may hold records of before in memory, because they are stopped or their disk hangs. Erase again when
   * they have gone on or ended. Absent if there are none.
   */
  readonly waiting?: readonly string[];
}

export interface StoreProblem {
  readonly kind: /** Records that could not be kept. */
    | 'dropped'
    /** Something stored is unreadable and was set aside. */
    | 'damaged'
    /** Something stored was written by a newer version, or is not ours; left as it is. */
    | 'foreign'
    /** The outside (disk, network) refused; the store goes on trying. */
    | 'failing'
    /** The place where records live was deleted, moved or replaced while in use; the store continues with what is there now. */
    | 'replaced';
  readonly message: string;
  /** How many records it concerns; only where known. */
  readonly count?: number;
}

/** Where records live. Every implementation passes the contract suite of `rsi-loop/testing`. */
export interface Store {
  /** The name this process writes the journal under; unique among living processes. */
  readonly writer: string;
  /**
   * Takes records in memory at once and writes them soon; `flush` tells when they are safe. Never throws, never waits:
   * what cannot be kept is reported through `onProblem`.
   */
  write(records: readonly JournalRecord[]): void;
  /** Records taken and not yet handed on: what tells the loop to hold back. */
  readonly queued: number;
  /**
   * Reads what was written after `after`, oldest first per writer; everything without one. With `upTo` only what lies
   * before it, and nothing of writers it does not name.
   */
  read<Name extends LogName>(log: Name, after?: Cursor, upTo?: Cursor): AsyncIterable<Stored<Logs[Name]>>;
  /** Where the ledger ends now; cheap enough to ask every second. Its entries are read with the cursor `{ ledger: n }`. */
  head(): Promise<LedgerHead>;
  /** Appends decisions if the ledger still ends at `after`; safe when it resolves. */
  decide(entries: readonly LedgerEntry[], after: LedgerHead): Promise<AppendResult>;
  /** Named state, kept so that a start need not replay everything; `undefined` when there is none that can be trusted. */
  load(name: string): Promise<Saved | undefined>;
  /**
   * Replaces named state if its version is still `after` (0: none yet); false when another process saved first. `value` may
   * be large, and parts of it are made when they are read: it does not change before this settles.
   */
  save(name: string, value: Snapshot, after: number): Promise<boolean>;
  /** Takes the lease of that name, or `undefined` while a living process holds it. Renewed by itself until released. */
  lease(name: string): Promise<Lease | undefined>;
  /** Every process whose records may still be coming, this one included. Ask before reading: what they say is then readable. */
  writers(): Promise<readonly WriterState[]>;
  /**
   * Removes matching records for good, whoever wrote them, and forgets all saved state, which may hold parts of them.
   * Decisions stay, without words that only those records held, and one is added: it says that something was erased, so that
   * running loops forget it too.
   */
  erase(filter: EraseFilter, options?: EraseOptions): Promise<EraseReceipt>;
  /** Told of everything that could not be done as promised. */
  onProblem(listener: (problem: StoreProblem) => void): void;
  /** Resolves when everything written so far is as safe as this store can make it. */
  flush(): Promise<void>;
  /** Flushes and frees every handle, timer and lock. Calling it again does nothing. */
  close(): Promise<void>;
}

/** Who decides on a fix that may not be applied without a person. */
export interface Gate {
  /** Called once per cycle for each fix still waiting; `waiting` asks again in a later cycle. */
  decide(fix: Fix, options: { readonly signal: AbortSignal }): Promise<Decision>;
}

/** A file of a workspace as it stood when it was read. */
export interface WorkspaceFile {
  /** As in `Workspace.files`. */
  readonly path: string;
  /** Everything in it, a byte order mark and the line breaks as they are; absent when there is no such file. */
  readonly text?: string;
  /** Same hash, same bytes, at any time and in every process; `''` when there is no such file. */
  readonly hash: string;
  /** Kept copies that hold an edit which is not in the file, for a person to merge. Nearly always empty. */
  readonly unmerged: readonly string[];
}

export type WriteResult =
  | {
      readonly kind: 'ok';
      readonly file: WorkspaceFile;
      /** Where what stood there before is kept; absent where nothing is. */
      readonly backup?: string;
    }
  /** Somebody else changed the file first: nothing was written. Decide again on what it holds now. */
  | { readonly kind: 'conflict'; readonly file: WorkspaceFile };

/** The files that rules are written into. Every implementation passes the contract suite of `rsi-loop/testing`. */
export interface Workspace {
  /** What may be read and written, whether or not it exists: paths relative to the workspace, with `/`. */
  readonly files: readonly string[];
  /** @throws LoopError `workspace-refused` for a path that is not listed or must not be followed, `workspace-failed` when the outside refuses. */
  read(path: string): Promise<WorkspaceFile>;
  /**
   * Replaces a file if its hash still is `after`, whole or not at all; with `undefined` for the text it is removed. Writing
   * what is there already changes nothing.
   * @throws as `read` does, and `workspace-refused` for a text that is too long or cannot be written as UTF-8.
   */
  write(path: string, text: string | undefined, after: string): Promise<WriteResult>;
}

/** A value that can be kept as JSON, for snapshots of a room's state. */
export type Snapshot = Json;

/** What can be said with a call to a model. */
export interface ModelCall {
  /** Ends the call; it rejects with the signal's own reason. */
  readonly signal?: AbortSignal;
  /** Longest wait for the whole answer, in milliseconds. Default: the model's own. */
  readonly timeoutMs?: number;
  /** Hears the text piece by piece while it is made. Nothing in it has been checked. */
  readonly onText?: (piece: string) => void;
}

/** Turns texts into vectors: the nearer two vectors, the nearer the texts in meaning. */
export interface Embedder {
  /** One vector per text, in their order, all of one length. @throws LoopError as `Model.complete`. */
  embed(texts: readonly string[], call?: ModelCall): Promise<readonly (readonly number[])[]>;
}

export interface ModelMessage {
  /** What comes from outside, recorded text above all, never stands in `system`. */
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What a model is wanted for; a router takes one by it. */
export type ModelRole = 'fast' | 'chat' | 'code' | 'reason';
/** Whether a person waits for the answer, or the loop asks in the background. */
export type ModelMode = 'interactive' | 'loop';

export interface ModelRequest {
  /** At least one; the last one is answered. */
  readonly messages: readonly ModelMessage[];
  /** The answer has to be JSON of this schema, and nothing else. */
  readonly schema?: JsonSchema;
  /** Longest answer, in tokens. Default: the model's own. */
  readonly maxTokens?: number;
  /** 0 (always the likeliest word) to 2. Default: the server's own. */
  readonly temperature?: number;
  readonly role?: ModelRole;
  readonly mode?: ModelMode;
}

export interface ModelAnswer {
  /** Never empty. */
  readonly text: string;
  /** The text, read and checked against the schema; exactly where one was asked for. */
  readonly json?: Json;
  /** The model that answered, as its server calls it. */
  readonly model: string;
  /** `name` of the `Model` that answered: in a pool, one of its hosts. */
  readonly by: string;
  /** `length`: broken off at the longest answer allowed. Never with a schema. */
  readonly ended: 'stop' | 'length';
  /** As the server counted them; absent where it did not. */
  readonly tokens?: TokenUse;
  readonly durationMs: number;
}

/** What a model's server says of itself. */
export interface ModelHealth {
  /** Whether a call made now has a chance. */
  readonly ok: boolean;
  /** What it can be asked for. */
  readonly models: readonly string[];
  readonly version?: string;
  /** Requests it is working on, and those that wait for their turn; where it tells. */
  readonly running?: number;
  readonly waiting?: number;
  /** How long it took to say so. */
  readonly latencyMs: number;
  /** What is wrong; exactly where `ok` is false. */
  readonly problem?: string;
}

/** A language model. Every implementation passes the contract suite of `rsi-loop/testing`. */
export interface Model extends Embedder {
  /** What reports call it, such as `qwen3:8b at gpu-1:11434`. Holds no key. */
  readonly name: string;
  /**
   * One answer. With a schema it was checked here, whatever the server promised.
   * @throws LoopError `model-down`, `model-refused`, `model-answer`, `timed-out`, or `invalid-input` for a request that
   * cannot be sent. None of their messages holds a key.
   */
  complete(request: ModelRequest, call?: ModelCall): Promise<ModelAnswer>;
  /** Never rejects: what is wrong stands in the answer. */
  health(call?: Pick<ModelCall, 'signal' | 'timeoutMs'>): Promise<ModelHealth>;
}
