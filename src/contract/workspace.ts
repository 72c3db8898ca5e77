/** File of a workspace, as read. */
export interface WorkspaceFile {
  /** As in `Workspace.files`. */
  readonly path: string;
  /** Full content, including a byte order mark and original line breaks; absent if the file does not exist. */
  readonly text?: string;
  /** Hash of the bytes, the same at any time and in every process; `''` if the file does not exist. */
  readonly hash: string;
  /** Backups with an edit that the file lacks, for a person to merge. Almost always empty. */
  readonly unmerged: readonly string[];
}

/** Result of an attempt to write a file of the workspace. */
export type WriteResult =
  | {
      readonly kind: 'ok';
      readonly file: WorkspaceFile;
      /** Path of the backup of the previous content; absent if there is none. */
      readonly backup?: string;
    }
  /** Another program changed the file first and nothing was written. Decide again based on the current content. */
  | { readonly kind: 'conflict'; readonly file: WorkspaceFile };

/** Files that rules are written into. Every implementation passes the contract suite of `rsi-loop/testing`. */
export interface Workspace {
  /** Files that may be read and written, existing or not: paths relative to the workspace, with `/`. */
  readonly files: readonly string[];
  /**
   * Reads one file.
   * @throws LoopError `workspace-refused` for a path that is not listed or must not be followed, `workspace-failed` if
   * the environment reports an error.
   */
  read(path: string): Promise<WorkspaceFile>;
  /**
   * Replaces a file atomically if its hash is still `after`. If the text is `undefined`, removes the file. Writing
   * identical content changes nothing.
   * @throws LoopError as `read` does, and `workspace-refused` for a text that is too long or cannot be written as
   * UTF-8.
   */
  write(path: string, text: string | undefined, after: string): Promise<WriteResult>;
}
