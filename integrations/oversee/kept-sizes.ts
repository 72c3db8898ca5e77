import type { Json } from 'rsi-loop';
import { hashing, isObject } from 'rsi-loop/kit';
import type { Snapshots } from 'rsi-loop/testing';
import type { Resource, Sums } from './amount.js';

/** Resources whose size may be unknown before a call. */
const MEASURED = ['usd', 'tokens'] as const satisfies readonly Resource[];

/** Newest sizes of a kind of calls, in the order in which they were measured. */
export type RecentSizes = Readonly<Record<(typeof MEASURED)[number], readonly number[]>>;

interface KeptKind extends RecentSizes {
  /** Epoch milliseconds of the newest size. */
  readonly atMs: number;
}

type Kinds = ReadonlyMap<string, KeptKind>;

export interface KeptSizesPorts {
  /** Returns the snapshots of the loop's store at the moment. */
  readonly snapshots: () => Snapshots;
  readonly now: () => number;
  /** Resolves after this many milliseconds. */
  readonly after: (ms: number) => Promise<void>;
}

const NAME = 'call-sizes';
/** Sizes that are kept of a kind: the next call is larger than all of them in 1 of 21 cases, if prices stay. */
const MAX_SIZES = 20;
const MAX_KINDS = 200;
const MAX_AGE_MS = 30 * 86_400_000;
/** Longest wait for a store that does not answer, in milliseconds. */
const STORE_MS = 5_000;
const ATTEMPTS = 5;

/** Sizes of calls that outlive the process, in the store of the loop. Names of kinds are kept as hashes. */
export class KeptSizes {
  readonly #ports: KeptSizesPorts;
  #earlier: Kinds = new Map();
  /** Sizes that are not saved. */
  #fresh = new Map<string, KeptKind>();
  #loading: Promise<void> | undefined;
  #saving: Promise<void> | undefined;

  constructor(ports: KeptSizesPorts) {
    this.#ports = ports;
  }

  /** Reads what earlier runs measured, once. Without an answer of the store, nothing is known. */
  load(): Promise<void> {
    const read = async () => {
      const saved = await this.#ports.snapshots().load(NAME);
      this.#earlier = kindsOf(saved?.value, this.#ports.now());
    };
    this.#loading ??= Promise.race([read().catch(() => undefined), this.#ports.after(STORE_MS)]);
    return this.#loading;
  }

  /** Returns the sizes that earlier runs measured. */
  of(kind: string): RecentSizes | undefined {
    return this.#earlier.get(hashing.hashHex(kind));
  }

  /** Adds what a call stated. */
  add(kind: string, stated: Partial<Sums>): void {
    if (MEASURED.every((each) => stated[each] === undefined)) return;
    const key = hashing.hashHex(kind);
    const known = [this.#earlier.get(key), this.#fresh.get(key)];
    const isLargest = MEASURED.some(
      (each) => (stated[each] ?? -1) > Math.max(-1, ...known.flatMap((k) => k?.[each] ?? [])),
    );
    const one = (each: (typeof MEASURED)[number]) => [stated[each] ?? []].flat();
    const added = joined(this.#fresh.get(key), { usd: one('usd'), tokens: one('tokens'), atMs: this.#ports.now() });
    this.#fresh.delete(key); // the newest kinds are the last ones
    this.#fresh.set(key, added);
    for (const oldest of [...this.#fresh.keys()].slice(0, -MAX_KINDS)) this.#fresh.delete(oldest);
    // A process that is killed leaves what it learned.
    if (isLargest) void this.save();
  }

  /** Adds the new sizes to those of other processes. Without an answer of the store, the next save adds them. */
  save(): Promise<void> {
    if (this.#fresh.size === 0 && !this.#saving) return Promise.resolve();
    this.#saving ??= this.#merge()
      .catch(() => undefined)
      .finally(() => {
        this.#saving = undefined;
      });
    return Promise.race([this.#saving, this.#ports.after(STORE_MS)]);
  }

  async #merge(): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS && this.#fresh.size > 0; attempt++) {
      const snapshots = this.#ports.snapshots();
      const saved = await snapshots.load(NAME);
      const adding = this.#fresh;
      this.#fresh = new Map();
      const kinds = merged(kindsOf(saved?.value, this.#ports.now()), adding);
      const value = { kinds: [...kinds].slice(-MAX_KINDS).map(([key, kind]) => ({ key, ...kind })) };
      const isSaved = await snapshots.save(NAME, value, saved?.version ?? 0).catch(() => false);
      if (isSaved) this.#earlier = kinds;
      else this.#fresh = merged(adding, this.#fresh);
    }
  }
}

/** Adds newer sizes. The kinds that were measured last are the last ones. */
function merged(kinds: Kinds, newer: Kinds): Map<string, KeptKind> {
  const all = new Map(kinds);
  for (const [key, sizes] of newer) {
    all.delete(key);
    all.set(key, joined(kinds.get(key), sizes));
  }
  return all;
}

function joined(before: KeptKind | undefined, after: KeptKind): KeptKind {
  const newest = (each: (typeof MEASURED)[number]) => [...(before?.[each] ?? []), ...after[each]].slice(-MAX_SIZES);
  return { atMs: after.atMs, usd: newest('usd'), tokens: newest('tokens') };
}

/** Reads a saved value. What does not fit is dropped, and so are kinds that were not measured for a month. */
function kindsOf(value: Json | undefined, nowMs: number): Kinds {
  const kinds = isObject(value) && Array.isArray(value.kinds) ? value.kinds.slice(-MAX_KINDS) : [];
  return new Map(
    kinds.filter(isObject).flatMap(({ key, atMs, usd, tokens }): [string, KeptKind][] => {
      if (typeof key !== 'string' || typeof atMs !== 'number' || !(nowMs - atMs < MAX_AGE_MS)) return [];
      return [[key, { atMs, usd: sizesOf(usd), tokens: sizesOf(tokens) }]];
    }),
  );
}

function sizesOf(value: unknown): readonly number[] {
  const sizes: readonly unknown[] = Array.isArray(value) ? value.slice(-MAX_SIZES) : [];
  return sizes.filter((size): size is number => typeof size === 'number' && size >= 0);
}
