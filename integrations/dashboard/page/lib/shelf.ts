import type { ProblemView, ViewName } from '../../views.js';
import { ApiProblem } from './api.js';

/** View as it was last read. `problem` says why newer data is missing. */
export interface Kept {
  readonly data?: unknown;
  readonly problem?: ProblemView;
}

interface Entry {
  kept: Kept;
  readonly view: ViewName;
  readonly listeners: Set<() => void>;
  isLoading: boolean;
  isOutdated: boolean;
  readMs: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Least time between two reads of the same view. */
const MIN_GAP_MS = 2_000;
/** Views that stay after their screen was left, so that going back is immediate. */
const MAX_KEPT = 24;

/** Keeps what was read from the server, and reads what is shown again when it has changed. */
export class Shelf {
  readonly #read: (path: string) => Promise<unknown>;
  readonly #entries = new Map<string, Entry>();

  constructor(read: (path: string) => Promise<unknown>) {
    this.#read = read;
  }

  peek(path: string): Kept {
    return this.#entries.get(path)?.kept ?? NOTHING;
  }

  /** Shows a path until the returned function is called. */
  show(path: string, view: ViewName, listener: () => void): () => void {
    const entry = this.#entries.get(path) ?? this.#add(path, view);
    entry.listeners.add(listener);
    if (entry.isOutdated) this.#load(path, entry);
    return () => {
      entry.listeners.delete(listener);
      // Views are not watched while nothing shows them.
      if (entry.listeners.size === 0) entry.isOutdated = true;
    };
  }

  refresh(views: readonly ViewName[]): void {
    for (const [path, entry] of this.#entries) {
      if (views.includes(entry.view)) this.#reload(path, entry);
    }
  }

  refreshAll(): void {
    for (const [path, entry] of this.#entries) this.#reload(path, entry);
  }

  #reload(path: string, entry: Entry): void {
    entry.isOutdated = true;
    if (entry.listeners.size === 0 || entry.timer !== undefined) return;
    const waitMs = Math.max(0, entry.readMs + MIN_GAP_MS - performance.now());
    entry.timer = setTimeout(() => {
      entry.timer = undefined;
      if (entry.listeners.size > 0) this.#load(path, entry);
    }, waitMs);
  }

  #add(path: string, view: ViewName): Entry {
    const entry: Entry = {
      kept: NOTHING,
      view,
      listeners: new Set(),
      isLoading: false,
      isOutdated: true,
      readMs: -MIN_GAP_MS,
      timer: undefined,
    };
    this.#entries.set(path, entry);
    for (const [old, { listeners }] of this.#entries) {
      if (this.#entries.size <= MAX_KEPT) break;
      if (listeners.size === 0 && old !== path) this.#entries.delete(old);
    }
    return entry;
  }

  async #load(path: string, entry: Entry): Promise<void> {
    if (entry.isLoading) return;
    entry.isLoading = true;
    entry.isOutdated = false;
    entry.readMs = performance.now();
    try {
      entry.kept = { data: await this.#read(path) };
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      entry.isOutdated = true;
      entry.kept = { ...entry.kept, problem: error.problem };
    } finally {
      entry.isLoading = false;
    }
    for (const listener of entry.listeners) listener();
  }
}

const NOTHING: Kept = {};
