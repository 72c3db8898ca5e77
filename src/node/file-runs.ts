import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchRun, BenchRuns } from '../contract/bench-run.js';
import { LoopError } from '../contract/errors.js';
import { FORMAT, otherFormat } from './format.js';
import { parseLine, sealedHead, sealLine } from './line.js';

/**
 * Keeps the runs of benchmarks in a folder, one file of lines per comparison. A process killed while it writes loses at
 * most the run of that moment, which is then run again. Damaged lines are skipped.
 */
export class FileRuns implements BenchRuns {
  readonly #folder: string;
  readonly #files = new Map<string, Promise<FileHandle>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async load(comparison: string): Promise<readonly BenchRun[]> {
    const path = this.#pathOf(comparison);
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw new LoopError('store-failed', `cannot read ${path}: ${error.message}`, { cause: error });
    });
    return text.split('\n').flatMap((line) => {
      const value = parseLine(line)?.value;
      if (value === undefined) return [];
      if (!('format' in value)) return [runOf(comparison, value)];
      if (value.format === FORMAT) return [];
      throw new LoopError('store-failed', otherFormat('runs', path, value.format));
    });
  }

  async save({ comparison, ...run }: BenchRun): Promise<void> {
    const opening = this.#files.get(comparison) ?? this.#open(comparison);
    this.#files.set(comparison, opening);
    const file = await opening;
    // One write per line: lines of concurrent runs do not mix.
    await file.appendFile(`${sealLine(JSON.stringify(run).slice(1))}\n`);
    await file.datasync();
  }

  /** Closes the files. */
  async close(): Promise<void> {
    const files = [...this.#files.values()];
    this.#files.clear();
    for (const file of files) await (await file).close();
  }

  async #open(comparison: string): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = await open(this.#pathOf(comparison), 'a', 0o600);
    const { size } = await file.stat();
    // After a torn line, the next one begins on a line of its own.
    await file.appendFile(size === 0 ? `${sealLine(`${sealedHead('runs').slice(0, -1)}}`)}\n` : '\n');
    return file;
  }

  #pathOf(comparison: string): string {
    return join(this.#folder, `${comparison}.jsonl`);
  }
}

function runOf(comparison: string, value: Readonly<Record<string, unknown>>): BenchRun {
  const { draw, version, result } = value as unknown as BenchRun; // the checksum shows that this program wrote it
  return { comparison, draw, version, result };
}
