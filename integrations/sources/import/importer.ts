import type { Outcome } from 'rsi-loop';

/** Beginning of an input, to detect its format. */
export interface InputHead {
  /** Path as the user gave it or as found in a folder; `-` for standard input. */
  readonly path: string;
  /**
   * First 64 kB of the input unchanged, then with long texts and lists shortened, so that keys behind them are visible.
   * The last line may be torn.
   */
  readonly text: string;
}

/** File or stream to import, in pieces. */
export interface Input {
  readonly path: string;
  /** Time for records without one: when the file was last written, or now. */
  readonly atMs: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Problem with a record or a file. `line` is counted from 1 and absent for a whole file. */
export interface InputProblem {
  readonly path: string;
  readonly line?: number;
  readonly reason: string;
}

/** Result of reading one piece of an input. All numbers are counts of this piece alone. */
export interface Batch {
  readonly outcomes: readonly Outcome[];
  /** Lines (or records of a document) that should be outcomes but could not be read. */
  readonly skipped: readonly InputProblem[];
  /**
   * Valid records that are deliberately not outcomes, by reason, e.g. rejected by a person or caused by another failed
   * call.
   */
  readonly leftOut: Readonly<Record<string, number>>;
  readonly lines: number;
  readonly bytes: number;
}

/** Importer of one format. It streams: its memory does not grow with the input. */
export interface Importer {
  /** Name of the format; also the default `source` of its outcomes. */
  readonly name: string;
  /** Name of what it reads, for messages: `Claude Code session transcripts (.jsonl)`. */
  readonly title: string;
  detect(head: InputHead): boolean;
  /**
   * Reads the input. Throws only errors of reading the chunks. Every record becomes an outcome, or is left out or
   * skipped.
   */
  read(input: Input): AsyncIterable<Batch>;
}
