import type { Clock } from 'rsi-loop';
import type { Watching } from './watch-loop.js';

/** Options of `DropFolder`. */
export interface DropFolderOptions {
  /** Time without writes after which a file counts as complete. Default 1,000 ms. */
  readonly settleMs?: number;
  /** Interval of the scans that `start` runs. Default 1 s, or 10 s if a watcher reports changes. */
  readonly everyMs?: number;
  /**
   * `events`: the package `chokidar`, if installed, reports changes. `polling`: scans every `everyMs` only, as network
   * folders need. Default `events`.
   */
  readonly watch?: 'events' | 'polling';
  /** The package `chokidar` (4 to 6). Default: loaded on first use; if it is missing, the folder is polled. */
  readonly chokidar?: Watching;
  /** Keeps processed files in `done/`. Default true; otherwise they are deleted. */
  readonly keepDone?: boolean;
  /** Maximum size of a file. Larger files are rejected unread. Default 256 MiB. */
  readonly maxFileBytes?: number;
  /** Maximum size of a record. Larger records are rejected. Default 1 MiB. */
  readonly maxRecordBytes?: number;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
}

/** Counts of the files processed so far. */
export interface DropCounts {
  /** Files of which every record was recorded. */
  readonly files: number;
  /** Records that were recorded, including those of rejected files. */
  readonly records: number;
  readonly rejected: number;
  /** Files taken over from a dead watcher; they are included in the other counts. */
  readonly recovered: number;
  /** Files that were still being written at the last scan, or left to another watcher that was claiming files. */
  readonly waiting: number;
}
