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
