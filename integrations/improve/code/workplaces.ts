import type { SandboxResult } from 'rsi-loop/bench';
import { differences, type Fingerprint, Fingerprints } from '../worktree/fingerprint.js';
import type { TreeEntry } from '../worktree/repository.js';
import type { Worktrees } from '../worktree/worktrees.js';
import type { ReadRules } from './code-rules.js';

/** Worktree of a version, with the hashes of its files. */
export interface Workplace {
  readonly folder: string;
  readonly seal: Fingerprint;
  /** Hashes of the user's own files, where nothing but the hashes protects them. */
  readonly userSeal: Fingerprint;
}

export interface WorkplacesOptions {
  readonly root: string;
  readonly worktrees: Worktrees;
  readonly rules: ReadRules;
  readonly isIsolated: boolean;
  readonly tree: ReadonlyMap<string, TreeEntry>;
}

/** Limit on worktrees without a run in progress. */
const IDLE = 4;
/** Folders that commands and their user write to all the time. */
const LIVE: readonly string[] = ['node_modules', '.git'];

/** Worktrees of versions, created on first use. The oldest ones without a run are removed. */
export class Workplaces {
  readonly #options: WorkplacesOptions;
  readonly #fingerprints = new Fingerprints();
  readonly #open = new Map<string, { readonly place: Promise<Workplace>; uses: number }>();
  readonly #protected: ReadonlySet<string>;
  #count = 0;

  constructor(options: WorkplacesOptions) {
    this.#options = options;
    const { tree, rules } = options;
    this.#protected = new Set([...tree.keys()].filter((path) => rules.protected.has(path)));
  }

  /** Runs work in the worktree of a version. */
  async use<T>(version: { id: string; commit: string }, work: (place: Workplace) => Promise<T>): Promise<T> {
    const found = this.#open.get(version.id) ?? { place: this.#create(version.commit), uses: 0 };
    this.#open.delete(version.id);
    this.#open.set(version.id, found); // the newest is last
    found.uses++;
    try {
      return await work(await found.place);
    } finally {
      found.uses--;
      await this.#shrink();
    }
  }

  /** Returns why a command voids its version; `undefined` if it does not. */
  async fault(place: Workplace, { changed = [], left }: SandboxResult): Promise<string | undefined> {
    if (left > 0) return `it left ${left} ${left === 1 ? 'process' : 'processes'} running`;
    const touched = changed.find((path) => this.#protected.has(path));
    if (touched !== undefined) return `it tried to change ${touched} while it ran`;
    const differing = differences(place.seal, await this.#seal(place.folder));
    if (differing.length > 0) return `it changed ${differing[0]} while it ran`;
    const users = differences(place.userSeal, await this.#userSeal());
    return users.length > 0 ? `${users[0]} of the working tree changed while it ran` : undefined;
  }

  async #create(commit: string): Promise<Workplace> {
    const { worktrees, tree, rules, isIsolated, root } = this.#options;
    const hidden = [...tree.keys()].filter((path) => rules.hidden.has(path));
    const modules = isIsolated ? undefined : `${root}/node_modules`;
    const folder = await worktrees.create(`${commit.slice(0, 12)}-${this.#count++}`, commit, { hidden, modules });
    return { folder, seal: await this.#seal(folder), userSeal: await this.#userSeal() };
  }

  /** Files of the commit. Without isolation, commands may leave others, such as caches. */
  async #seal(folder: string): Promise<Fingerprint> {
    const all = await this.#fingerprints.of(folder, ['node_modules']);
    if (this.#options.isIsolated) return all;
    return new Map([...all].filter(([path]) => this.#options.tree.has(path)));
  }

  async #userSeal(): Promise<Fingerprint> {
    return this.#options.isIsolated ? new Map() : this.#fingerprints.of(this.#options.root, LIVE);
  }

  async #shrink(): Promise<void> {
    const idle = [...this.#open].filter(([, { uses }]) => uses === 0);
    for (const [id, { place }] of idle.slice(0, Math.max(0, idle.length - IDLE))) {
      this.#open.delete(id);
      await place.then(
        ({ folder }) => this.#options.worktrees.remove(folder),
        () => undefined,
      );
    }
  }
}
