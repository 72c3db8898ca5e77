/** Result of sending one batch. */
export type Posted =
  /** The receiver has the batch on disk, except for the outcomes it refused. */
  | { readonly kind: 'delivered'; readonly refused: number; readonly reason: string }
  /** A later attempt may succeed. */
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs: number }
  /** No attempt with the same content succeeds. */
  | { readonly kind: 'rejected'; readonly reason: string };

/** Receiver of a recorder's outcomes: a server, or a queue that a loop reads. */
export interface Destination {
  /** Name in problems, e.g. `queue.example:6379`. Never contains a password. */
  readonly name: string;
  /**
   * Delivers a batch. Never rejects.
   * @param lines One outcome as JSON each.
   * @param from Position of the first line among all lines of this recorder. A batch that failed is sent again with the
   * same positions, perhaps with further lines.
   */
  deliver(lines: readonly string[], from: number): Promise<Posted>;
  /** Releases connections. */
  close?(): Promise<void>;
}
