import { resolve } from 'node:path';
import { LoopError } from '../contract/errors.js';
import type { Workspace, WorkspaceFile, WriteResult } from '../contract/workspace.js';
import { mustBe } from '../lib/must-be.js';
import { showValue } from '../lib/text.js';
import { errorCode } from './file-system.js';
import { hashOf } from './hash-of.js';
import { realRoot } from './pinned-directory.js';
import { OpenedFile, type WorkspaceLimits } from './workspace-file.js';
import { checkPaths, failed, refused } from './workspace-paths.js';

/** Options of `DiskWorkspace`. */
export interface DiskWorkspaceOptions extends Partial<WorkspaceLimits> {
  /**
   * Markdown files that may be read and written, relative to the folder. Default SOUL.md, AGENTS.md, TOOLS.md,
   * CLAUDE.md.
   */
  readonly files?: readonly string[];
}

const FILES: readonly string[] = ['SOUL.md', 'AGENTS.md', 'TOOLS.md', 'CLAUDE.md'];

/**
 * Markdown files of an agent in a folder on disk. A write is atomic and replaces only the version its caller has read.
 * So an edit that a person saved in between is kept. The replaced file becomes a backup in `.rsi-backups` beside it.
 * Links are not followed, and nothing outside the folder is written. See docs/workspace.md for the assumptions.
 */
export class DiskWorkspace implements Workspace {
  readonly files: readonly string[];
  readonly #folder: string;
  readonly #limits: WorkspaceLimits;
  #root: string | undefined;

  /** @throws LoopError `workspace-refused` for a path that may not be listed, `invalid-input` for an invalid limit. */
  constructor(folder: string, options: DiskWorkspaceOptions = {}) {
    mustBe(typeof folder === 'string', 'folder', showValue(folder), 'a path as text');
    this.#folder = resolve(folder);
    this.files = checkPaths(options.files ?? FILES);
    this.#limits = {
      maxBytes: parseCount('maxBytes', options.maxBytes ?? 1_048_576),
      backups: parseCount('backups', options.backups ?? 10),
      quietMs: parseCount('quietMs', options.quietMs ?? 100, 0),
      graceMs: parseCount('graceMs', options.graceMs ?? 10_000, 0),
      byPath: options.byPath ?? false,
    };
  }

  read(path: string): Promise<WorkspaceFile> {
    return this.#at(path, async (file) => file.describe(await file.settled()));
  }

  write(path: string, text: string | undefined, after: string): Promise<WriteResult> {
    return this.#at(path, async (file) => {
      const bytes = text === undefined ? undefined : this.#encode(path, text);
      const old = await file.settled();
      if ((old?.hash ?? '') !== after) return { kind: 'conflict', file: await file.describe(old) };
      const isAlready = old ? bytes?.equals(old.bytes) : bytes === undefined;
      if (isAlready) return { kind: 'ok', file: await file.describe(old) };
      const result = await file.replace(old, bytes);
      if (result === 'changed') return { kind: 'conflict', file: await file.describe(await file.settled()) };
      // Returned as written, even if the file has changed since.
      const written = bytes && { bytes, hash: hashOf(bytes) };
      return { kind: 'ok', file: await file.describe(written), ...result };
    });
  }

  /** Opens the folders of a file, one level at a time from the root, and runs `work` on it. */
  async #at<Result>(path: string, work: (file: OpenedFile) => Promise<Result>): Promise<Result> {
    if (!this.files.includes(path)) {
      throw refused(path, `is not among the files of this workspace: ${this.files.join(', ')}`);
    }
    const file = new OpenedFile(path, this.#limits);
    try {
      this.#root ??= realRoot(this.#folder);
      file.open(this.#root);
      return await work(file);
    } catch (error) {
      if (LoopError.is(error)) throw error;
      throw failed(path, `could not be worked on (${errorCode(error) || String(error)}): see the cause`, error);
    } finally {
      file.close();
    }
  }

  #encode(path: string, text: string): Buffer {
    // Unpaired surrogates have no encoding in UTF-8.
    if (!text.isWellFormed()) throw refused(path, 'cannot hold this text: it has half a character in it');
    const bytes = Buffer.from(text);
    const { maxBytes } = this.#limits;
    if (bytes.byteLength <= maxBytes) return bytes;
    throw refused(path, `would have ${bytes.byteLength} bytes of at most ${maxBytes}: shorten it, or raise maxBytes`);
  }
}

function parseCount(name: string, value: number, least = 1): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new LoopError(
    'invalid-input',
    `${name} of a workspace is ${showValue(value)}: give a whole number of at least ${least}`,
  );
}
