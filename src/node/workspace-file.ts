import { Backups } from './backups.js';
import { PinnedDirectory } from './pinned-directory.js';
import { COPIES_FOLDER } from './workspace-paths.js';

/** One file of a workspace, with the folders that are held open to work on it. */
export class WorkspaceFilePath {
  readonly path: string;
  readonly name: string;
  /** Absent if the folder does not exist. */
  readonly folder: PinnedDirectory | undefined;
  readonly #held: PinnedDirectory[];
  readonly #maxBytes: number;
  #copies: Backups | undefined;

  private constructor(path: string, held: PinnedDirectory[], folder: PinnedDirectory | undefined, maxBytes: number) {
    this.path = path;
    this.name = path.slice(path.lastIndexOf('/') + 1);
    this.folder = folder;
    this.#held = held;
    this.#maxBytes = maxBytes;
  }

  /** Opens each folder on the path, starting at the root. Callers must always close it. */
  static open(
    root: string,
    path: string,
    { maxBytes, byPath }: { readonly maxBytes: number; readonly byPath: boolean },
  ): WorkspaceFilePath {
    const held = [PinnedDirectory.open(root, byPath)];
    try {
      let folder = held[0];
      for (const segment of path.split('/').slice(0, -1)) {
        folder = folder?.inside(segment);
        if (folder) held.push(folder);
      }
      return new WorkspaceFilePath(path, held, folder, maxBytes);
    } catch (error) {
      for (const folder of held) folder.close();
      throw error;
    }
  }

  /** Opens the backups of the file; `undefined` if there are none and `create` is false. */
  copies({ create = false } = {}): Backups | undefined {
    if (this.#copies || !this.folder) return this.#copies;
    this.#copies = Backups.open(this.folder, this.name, this.#maxBytes, create);
    if (this.#copies) this.#held.push(this.#copies.folder);
    return this.#copies;
  }

  /** Returns the path of a backup, relative to the workspace. */
  pathOf(copy: string): string {
    return `${this.path.slice(0, -this.name.length)}${COPIES_FOLDER}/${copy}`;
  }

  close(): void {
    for (const folder of this.#held) folder.close();
  }
}
