import type { Outcome } from 'rsi-loop';

/** The beginning of an input, to tell its format by. */
export interface InputHead {
  /** As the user gave it or as it was found in a folder; `-` for standard input. */
  readonly path: string;
  /**
   * Its beginning: the first 64 kB as they are, then with long texts and lists shortened, so that keys behind them are
   * visible. The last line may be torn.
   */
  readonly text: string;
}

export interface Input {
  readonly path: string;
  /** For records that state no time: when the file was last written, or now. */
  readonly atMs: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Something that could not be read or used. `line` is 1-based and absent where the whole file is meant. */
export interface InputProblem {
  readonly path: string;
  readonly line?: number;
  readonly reason: string;
}

/** What one piece of an input gave. All numbers are counts of this piece alone. */
export interface Batch {
  readonly outcomes: readonly Outcome[];
  /** Lines (or records of a document) that should have given an outcome and could not be read. */
  readonly skipped: readonly InputProblem[];
  /** Records read well that are no outcome on purpose, by reason: a person's refusal, a knock-on error. */
  readonly leftOut: Readonly<Record<string, number>>;
  readonly lines: number;
  readonly bytes: number;
}

/** Reads one format. Streams: what it keeps in memory does not grow with the input. */
export interface Importer {
  /** Also the `source` of its outcomes, where they do not name one. */
  readonly name: string;
  /** What it reads, in the words of a message: `Claude Code session transcripts (.jsonl)`. */
  readonly title: string;
  detect(head: InputHead): boolean;
  /** Throws only what reading the chunks throws; whatever stands in them is an outcome, left out, or skipped. */
  read(input: Input): AsyncIterable<Batch>;
}
