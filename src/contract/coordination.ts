/** Right to do work that only one process may do at a time. */
export interface Lease {
  /** Higher than that of every earlier holder. A process that sees a higher fence has lost the lease. */
  readonly fence: number;
  /** Returns false once another process holds the lease. Check before each non-idempotent step. */
  held(): Promise<boolean>;
  release(): Promise<void>;
}

/** State of one process that writes the journal. */
export interface WriterState {
  readonly writer: string;
  readonly alive: boolean;
  /** Epoch milliseconds by the writer's clock. Everything it wrote before this moment can be read now. */
  readonly watermarkMs: number;
}

/** Coordination of the processes that share a store. */
export interface Coordination {
  /**
   * Acquires the lease of that name, or returns `undefined` if a living process holds it. Renewed automatically until
   * released.
   */
  lease(name: string): Promise<Lease | undefined>;
  /**
   * Lists live writers, including this one. Call it before reading the journal: everything up to their watermarks is
   * then visible.
   */
  writers(): Promise<readonly WriterState[]>;
}
