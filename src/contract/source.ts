/** Port of everything that feeds outcomes into a loop: a watched folder, an HTTP server, a trace receiver. */
export interface Source<Loop> {
  /** Name in lists, e.g. `drop-folder`. */
  readonly name: string;
  /** Begins to feed the loop. Returns a function that stops it and resolves when its records are taken. */
  attach(loop: Loop): () => void | Promise<void>;
}
