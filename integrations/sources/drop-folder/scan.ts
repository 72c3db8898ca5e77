import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from 'rsi-loop';
import { ifThere } from './drop-files.js';

/** Complete file: no program has written to it for a while. */
export interface Found {
  readonly name: string;
  /** Path of the file. If its name is not valid text, the path is in bytes. */
  readonly path: string | Buffer;
}

/** Maximum number of incomplete files tracked. Further files wait for the next scan. */
const MAX_WATCHED = 100_000;
const TAKEN = /\.(?:json|jsonl|ndjson)$/i;

/** Scans a folder and returns the files that are complete. */
export class FolderScan {
  readonly #settleMs: number;
  readonly #clock: Clock;
  /** Size and modification time when last seen, and since when they are unchanged. */
  #watched = new Map<string, { readonly stamp: string; readonly sinceMs: number }>();
  /** Files that could not be claimed; tried again after a change or after a while. */
  readonly #stuck = new Map<string, number>();
  /** Number of incomplete files at the last scan. */
  waiting = 0;

  constructor(settleMs: number, clock: Clock) {
    this.#settleMs = settleMs;
    this.#clock = clock;
  }

  /** Yields the complete files, in the order in which the folder lists them. */
  async *complete(folder: string): AsyncGenerator<Found> {
    const watched = new Map<string, { readonly stamp: string; readonly sinceMs: number }>();
    this.waiting = 0;
    const entries = await opendir(folder, { encoding: 'latin1', bufferSize: 256 });
    for await (const entry of entries) {
      // Latin-1 keeps every byte of a name, even if it is not UTF-8.
      const bytes = Buffer.from(entry.name, 'latin1');
      const name = bytes.toString('utf8');
      if (!TAKEN.test(name) || name.startsWith('.')) continue;
      const isText = Buffer.from(name, 'utf8').equals(bytes);
      const path = isText ? join(folder, name) : Buffer.concat([Buffer.from(`${folder}/`), bytes]);
      if (await this.#isComplete(name, path, watched)) yield { name, path };
    }
    this.#watched = watched;
  }

  /** Skips a file that could not be claimed for a minute. */
  leave(name: string): void {
    if (this.#stuck.size >= MAX_WATCHED) this.#stuck.clear();
    this.#stuck.set(name, this.#clock.monotonic() + 60_000);
  }

  async #isComplete(
    name: string,
    path: string | Buffer,
    watched: Map<string, { readonly stamp: string; readonly sinceMs: number }>,
  ): Promise<boolean> {
    const nowMs = this.#clock.monotonic();
    if ((this.#stuck.get(name) ?? 0) > nowMs) return false;
    const found = await ifThere(lstat(path));
    if (found === undefined) return false;
    // Anything but a regular file is not being written, so it counts as complete.
    if (!found.isFile() || this.#settleMs === 0) return true;
    const restedMs = this.#clock.now() - found.mtimeMs;
    if (restedMs >= this.#settleMs) return true;
    const stamp = `${found.size} ${found.mtimeMs} ${found.ino}`;
    const before = this.#watched.get(name);
    const sinceMs = before?.stamp === stamp ? before.sinceMs : nowMs;
    if (nowMs - sinceMs >= this.#settleMs) return true;
    this.waiting++;
    if (watched.size < MAX_WATCHED) watched.set(name, { stamp, sinceMs });
    return false;
  }
}
