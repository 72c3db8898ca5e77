import { join, resolve } from 'node:path';
import type { Clock } from '../contract/clock.js';
import { LoopError } from '../contract/errors.js';
import type { StoreProblem } from '../contract/store.js';
import { Listeners } from '../lib/listeners.js';
import { mustBe } from '../lib/must-be.js';
import { SystemClock } from '../lib/system-clock.js';
import { showValue } from '../lib/text.js';
import { type FileSystem, machineFileSystem, readWhole } from './file-system.js';
import { otherFormat } from './format.js';
import { openFile, sealFile } from './line.js';
import { claimPath, NumberedFiles } from './numbered-files.js';

export interface StoreFolderOptions {
  readonly fs?: FileSystem | undefined;
  readonly clock?: Clock | undefined;
  /** Reads any folder as it is, without claiming it. */
  readonly isInspected?: boolean;
}

/** Maximum number of distinct problems reported; a folder with more has been reported enough. */
const MAX_REPORTED = 10_000;

/** Folder of a file store, shared by its parts. Nothing is created before the first `prepare`. */
export class StoreFolder {
  readonly path: string;
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly #isInspected: boolean;
  readonly #problems = new Listeners<StoreProblem>();
  readonly #reported = new Set<string>();
  #prepared: Promise<void> | undefined;
  #closed = false;

  constructor(path: string, { fs = machineFileSystem, clock, isInspected = false }: StoreFolderOptions = {}) {
    mustBe(typeof path === 'string', 'folder', showValue(path), 'a path as text');
    this.path = resolve(path);
    this.fs = fs;
    this.clock = clock ?? new SystemClock();
    this.#isInspected = isInspected;
  }

  /** Returns the path of something in this folder. */
  inside(name: string): string {
    return join(this.path, name);
  }

  numbered(name: string): NumberedFiles {
    return new NumberedFiles(this.fs, this.inside(name));
  }

  report(problem: StoreProblem): void {
    this.#problems.notify(problem);
  }

  /**
   * Reports a problem unless one with the same message, or the same `key`, was reported before. Returns whether it did.
   */
  reportOnce(problem: StoreProblem, key = problem.message): boolean {
    if (this.#reported.has(key) || this.#reported.size >= MAX_REPORTED) return false;
    this.#reported.add(key);
    this.report(problem);
    return true;
  }

  onProblem(listener: (problem: StoreProblem) => void): void {
    this.#problems.add(listener);
  }

  close(): void {
    this.#closed = true;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** @throws LoopError `closed` after `close`. */
  mustBeOpen(): void {
    if (this.#closed) throw new LoopError('closed', `the store in ${this.path} is closed`);
  }

  /**
   * Claims the folder.
   * @throws LoopError `store-failed` if another version has claimed it, or if there are links inside.
   */
  prepare(): Promise<void> {
    if (this.#isInspected) return Promise.resolve();
    this.#prepared ??= this.#claim().catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  /** Claims the folder again at the next `prepare`, because it may have been deleted. */
  prepareAgain(): void {
    this.#prepared = undefined;
  }

  async #claim(): Promise<void> {
    await this.fs.mkdir(this.path);
    const link = await this.fs.findLink?.(this.path);
    if (link !== undefined) {
      const message = `${link} is a link: nothing is read or written through it; remove it, or name the folder it leads to`;
      throw new LoopError('store-failed', message);
    }
    const path = this.inside('store.json');
    const bytes = await readWhole(this.fs, path);
    if (bytes === undefined) {
      await claimPath(this.fs, this.path, path, sealFile('store', '"product":"rsi-loop"}'), { durable: true });
      return;
    }
    const content = openFile('store', bytes);
    if (content.kind === 'other-format') {
      throw new LoopError('store-failed', otherFormat('store', path, content.format));
    }
    if (content.kind === 'damaged') {
      this.report({ kind: 'damaged', message: `${path} is damaged; what the folder holds is read as usual` });
    }
  }
}
