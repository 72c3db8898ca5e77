import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Comparison } from 'rsi-loop/bench';
import { hideFromGit } from '../store/own-data.js';

const FORMAT = 'rsi-bench/1';

/** Start of a baseline or a comparison. Without an end of the same seed it was interrupted. */
export interface Started {
  readonly kind: 'started';
  readonly seed: number;
  readonly atMs: number;
  readonly suite: string;
  readonly action: 'baseline' | 'compare';
  readonly candidates: readonly string[];
}

/** End of a baseline or a comparison, with its figures. */
export interface Ended {
  readonly kind: 'ended';
  readonly seed: number;
  readonly atMs: number;
  readonly score?: { readonly value: number; readonly low: number; readonly high: number; readonly of: number };
  readonly problems?: Readonly<Record<string, number>>;
  readonly costUsd?: number;
  readonly comparisons?: readonly Comparison[];
}

/** Benchmarks run so far, in a file of lines beside the runs. A line that cannot be read is skipped. */
export class BenchHistory {
  readonly #path: string;

  constructor(readonly folder: string) {
    this.#path = join(folder, 'history.jsonl');
  }

  add(entry: Started | Ended): void {
    if (!existsSync(this.folder)) {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      hideFromGit(this.folder);
    }
    appendFileSync(this.#path, `${JSON.stringify({ format: FORMAT, ...entry })}\n`, { mode: 0o600 });
  }

  /** Returns every benchmark with its result, if it has ended; oldest first. */
  list(): readonly (Started & { readonly end?: Ended })[] {
    const ends = new Map<number, Ended>();
    const starts: Started[] = [];
    for (const entry of this.#read()) {
      if (entry.kind === 'ended') ends.set(entry.seed, entry);
      else starts.push(entry);
    }
    return starts.map((start) => {
      const end = ends.get(start.seed);
      return end ? { ...start, end } : start;
    });
  }

  /** Returns the newest interrupted benchmark of this kind, or undefined. */
  interrupted({ suite, action, candidates }: Pick<Started, 'suite' | 'action' | 'candidates'>): Started | undefined {
    const isSame = (one: Started) =>
      one.suite === suite && one.action === action && `${one.candidates}` === `${candidates}`;
    const newest = this.list().findLast(isSame);
    return newest?.end ? undefined : newest;
  }

  #read(): readonly (Started | Ended)[] {
    if (!existsSync(this.#path)) return [];
    return readFileSync(this.#path, 'utf8')
      .split('\n')
      .flatMap((line) => {
        try {
          const entry = JSON.parse(line);
          return entry?.format === FORMAT ? [entry] : [];
        } catch {
          return []; // the last line of a killed process
        }
      });
  }
}
