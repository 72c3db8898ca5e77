/** Filter for journal records to erase: those that match every given field. */
export interface EraseFilter {
  readonly session?: string;
  readonly agent?: string;
  readonly source?: string;
  /** Text anywhere in the record, matched exactly. */
  readonly text?: string;
}

export interface EraseOptions {
  /** Person or program that asked; stored with the receipt in the ledger. Default `host`. */
  readonly by?: string;
  /** Counts what would be erased without changing anything. Default false. */
  readonly dryRun?: boolean;
}

/** Result of an erasure, or of its dry run. */
export interface EraseReceipt {
  /** Number of journal records erased. */
  readonly records: number;
  /** Number of decisions in which words of those records were replaced by `[erased]`. */
  readonly decisions: number;
  /** Number of other files removed: saved state, copies of damaged records, leftover hook files. */
  readonly files: number;
  /**
   * Processes that may still hold erased records in memory, because they are suspended or their disk hangs. Erase again
   * once they have resumed or ended. Absent if there are none.
   */
  readonly waiting?: readonly string[];
}
