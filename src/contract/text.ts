/** Text that tasks read by its name, as the host gives it: a system prompt, or the description of a tool. */
export interface PromptText {
  readonly text: string;
  /** Workspace file with the text. A confirmed version is written into it. */
  readonly file?: string;
}

/** Texts by name, as a task gets them. */
export type Prompts = Readonly<Record<string, string>>;

/** Text and its version, a hash of the text. */
export interface TextVersion {
  readonly text: string;
  readonly version: string;
}

/** Text of the host as the ledger records it, so that other processes can show it and propose versions of it. */
export interface DeclaredText extends TextVersion {
  readonly name: string;
  readonly file?: string;
  /** Tasks that have read it, at most 20. */
  readonly tasks: readonly string[];
}

/** Replacement of a named text by another version. */
export interface TextEffect extends TextVersion {
  readonly name: string;
  /** Version that tasks without the change get. */
  readonly before: TextVersion;
  /** Versions that it can replace. A process whose text has another version keeps its own. */
  readonly replaces: readonly string[];
}
