import { LoopError } from '../contract/errors.js';
import type { Workspace, WorkspaceFile, WriteResult } from '../contract/workspace.js';
import { hashHex } from '../lib/hash.js';

/** Files in memory, for hosts without a disk, and for tests. Keeps no backups. */
export class MemoryWorkspace implements Workspace {
  readonly files: readonly string[];
  readonly #texts = new Map<string, string>();

  /** @param texts content of the files; `undefined` for a file that may be written but does not exist yet. */
  constructor(texts: Readonly<Record<string, string | undefined>>) {
    this.files = Object.keys(texts);
    for (const [path, text] of Object.entries(texts)) this.set(path, text);
  }

  /** Changes a file as another program would, e.g. a person's editor. */
  set(path: string, text: string | undefined): void {
    this.#mustHave(path);
    if (text === undefined) this.#texts.delete(path);
    else this.#texts.set(path, text);
  }

  async read(path: string): Promise<WorkspaceFile> {
    this.#mustHave(path);
    const text = this.#texts.get(path);
    if (text === undefined) return { path, hash: '', unmerged: [] };
    return { path, text, hash: hashHex(text) + hashHex(text, 1), unmerged: [] };
  }

  async write(path: string, text: string | undefined, after: string): Promise<WriteResult> {
    if (text?.isWellFormed() === false) {
      throw new LoopError(
        'workspace-refused',
        `${JSON.stringify(path)} cannot hold this text: it has half a character`,
      );
    }
    const file = await this.read(path);
    // No await from here on, so no other call can run in between.
    if (file.text !== this.#texts.get(path) || file.hash !== after) return { kind: 'conflict', file };
    this.set(path, text);
    return { kind: 'ok', file: await this.read(path) };
  }

  #mustHave(path: string): void {
    if (this.files.includes(path)) return;
    throw new LoopError(
      'workspace-refused',
      `${JSON.stringify(String(path).slice(0, 200))} is not among the files of this workspace: ${this.files.join(', ')}`,
    );
  }
}
