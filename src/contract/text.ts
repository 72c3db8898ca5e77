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
