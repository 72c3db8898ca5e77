import { isWithin, mustBe } from '../lib/must-be.js';
import { SignatureReader } from './signature.js';
import { signatureHex } from './signature-hex.js';
import { compare, covers, mayTurnOutSame, type Parsed, parse, render, sameAtSight, type Words } from './template.js';

export interface TemplateMinerOptions {
  /**
   * Limit on remembered wordings, several of which may share a group. Beyond it, the least recently used are dropped.
   * Default 10,000.
   */
  readonly maxWordings?: number;
  /** Limit on remembered aliases of groups, which outlive their groups. Default 40,000. */
  readonly maxAliases?: number;
  /**
   * Returns a key for messages that must stay separate even if similar, e.g. the category of an error. Called only for
   * new wordings. Groups with different keys are never merged.
   */
  readonly separate?: (message: string) => string;
}

/** Message with the group that it belongs to. */
export interface MinedMessage {
  /** Id of the group: the fingerprint of its first member. Never changes. */
  readonly id: string;
  /** The message with its variable parts as `<*>`. */
  readonly template: string;
  /** Whether this message created the group, or recreated it after eviction. */
  readonly isNew: boolean;
}

/** Complete state of a miner, as plain JSON. */
export interface MinerSnapshot {
  readonly version: 1;
  readonly clock: number;
  readonly groups: readonly {
    readonly id: string;
    readonly apart: string;
    readonly words: Words;
    readonly gaps: readonly string[];
    readonly wordings: readonly (readonly [fingerprint: string, lastUsed: number])[];
  }[];
  readonly aliases: readonly (readonly [from: string, to: string])[];
}

interface Group {
  readonly id: string;
  readonly apart: string;
  readonly parsed: Parsed;
  /** Result for every further member. Rebuilt when the template changes. */
  mined: MinedMessage;
  wordings: Wording[];
}

interface Wording {
  readonly key: number;
  readonly fingerprint: string;
  group: Group;
  lastUsed: number;
}

/** Number of different words at one place of an otherwise equal message that makes the place variable. */
const LEARN_AFTER = 5;
/** Limit on groups compared with a new wording. */
const MAX_CANDIDATES = 64;

/**
 * Groups messages that differ only in their values. A known wording costs one pass over its characters and one look-up.
 * A new wording is compared only with the few groups of the same length and first word.
 */
export class TemplateMiner {
  readonly #maxWordings: number;
  readonly #maxAliases: number;
  readonly #separate: (message: string) => string;
  readonly #reader = new SignatureReader();
  readonly #wordings = new Map<number, Wording>();
  readonly #groups = new Map<string, Group>();
  readonly #buckets = new Map<string, Group[]>();
  readonly #aliases = new Map<string, string>();
  #clock = 0;

  constructor(options: TemplateMinerOptions = {}) {
    const { maxWordings = 10_000, maxAliases = 40_000 } = options;
    mustBe(isWithin(maxWordings, 0), 'maxWordings', maxWordings, 'a number from 0');
    mustBe(isWithin(maxAliases, 0), 'maxAliases', maxAliases, 'a number from 0');
    this.#maxWordings = Math.max(8, maxWordings);
    this.#maxAliases = maxAliases;
    this.#separate = options.separate ?? (() => '');
  }

  /** Number of current groups. */
  get size(): number {
    return this.#groups.size;
  }

  /** Fingerprints and former ids that belong to another group. Resolve them with `resolve`. */
  get aliases(): ReadonlyMap<string, string> {
    return this.#aliases;
  }

  /** Returns the current id for a fingerprint or former group id. */
  resolve(id: string): string {
    let at = id;
    // An alias may lead to another one. Cycles cannot occur; the bound is a precaution.
    for (let step = 0; step < 64; step++) {
      const next = this.#aliases.get(at);
      if (next === undefined) return at;
      at = next;
    }
    return at;
  }

  add(message: string): MinedMessage {
    const reader = this.#reader;
    reader.read(message);
    const key = pairKey(reader.high, reader.low);
    const known = this.#wordings.get(key);
    if (known !== undefined) {
      known.lastUsed = this.#clock++;
      return known.group.mined;
    }
    return this.#addUnseen(message, key, signatureHex(reader.high, reader.low));
  }

  /** Returns the id of the group that a message was added to. Changes nothing. */
  find(message: string): string {
    const reader = this.#reader;
    reader.read(message);
    const known = this.#wordings.get(pairKey(reader.high, reader.low));
    return known?.group.id ?? this.resolve(signatureHex(reader.high, reader.low));
  }

  /** Returns the state as JSON in a fixed order: two miners with the same input return the same text. */
  snapshot(): MinerSnapshot {
    return {
      version: 1,
      clock: this.#clock,
      groups: [...this.#groups.values()].map(({ id, apart, parsed, wordings }) => ({
        id,
        apart,
        words: [...parsed.words],
        gaps: [...parsed.gaps],
        wordings: wordings.map(({ fingerprint, lastUsed }) => [fingerprint, lastUsed] as const),
      })),
      aliases: [...this.#aliases],
    };
  }

  /** Replaces the current state with that of the snapshot. */
  restore(snapshot: MinerSnapshot): void {
    this.#wordings.clear();
    this.#groups.clear();
    this.#buckets.clear();
    this.#aliases.clear();
    this.#clock = snapshot.clock;
    for (const { id, apart, words, gaps, wordings } of snapshot.groups) {
      const group = this.#open(id, apart, { words: [...words], gaps: [...gaps] });
      for (const [fingerprint, lastUsed] of wordings)
        this.#remember(keyOfHex(fingerprint), fingerprint, group, lastUsed);
    }
    for (const [from, to] of snapshot.aliases) this.#aliases.set(from, to);
  }

  #addUnseen(message: string, key: number, fingerprint: string): MinedMessage {
    this.#reader.read(message, true);
    const parsed = parse(message, this.#reader);
    const apart = this.#separate(message);
    const id = this.resolve(fingerprint);
    let group = this.#groups.get(id) ?? (id === fingerprint ? this.#join(parsed, apart) : undefined);
    const isNew = group === undefined;
    group ??= this.#open(id, apart, parsed);
    this.#remember(key, fingerprint, group, this.#clock++);
    if (group.id !== fingerprint) this.#alias(fingerprint, group.id);
    if (this.#wordings.size > this.#maxWordings) this.#evict();
    return isNew ? { ...group.mined, isNew } : group.mined;
  }

  /** Returns the group for a new wording, generalised to cover it; undefined if there is none. */
  #join({ words }: Parsed, apart: string): Group | undefined {
    const bucket = this.#buckets.get(bucketOf(words, apart))?.slice(-MAX_CANDIDATES) ?? [];
    const near: Group[] = [];
    for (let index = bucket.length - 1; index >= 0; index--) {
      const group = bucket[index];
      const difference = group && compare(group.parsed.words, words);
      if (group === undefined || difference === undefined) continue;
      if (sameAtSight(group.parsed, words, difference)) return this.#generalise(group, difference.at, bucket);
      if (mayTurnOutSame(group.parsed.words, words, difference)) near.unshift(group);
    }
    return near.length + 1 < LEARN_AFTER ? undefined : this.#learn(words, near);
  }

  /** Makes every position with enough different words variable. Merges groups that become equal. */
  #learn(words: (string | null)[], near: readonly Group[]): Group | undefined {
    const open = words.flatMap((word, position) => {
      const stood = new Set(near.map(({ parsed }) => parsed.words[position]));
      return word !== null && stood.add(word).size >= LEARN_AFTER ? [position] : [];
    });
    if (open.length === 0) return undefined;
    for (const position of open) words[position] = null;
    let joined: Group | undefined;
    // Oldest first, so that the oldest id is kept.
    for (const group of near) {
      if (!this.#groups.has(group.id)) continue;
      const kept = this.#generalise(group, open, near);
      if (covers(kept.parsed.words, words)) joined ??= kept;
    }
    return joined;
  }

  /** Makes positions of a group variable. Merges all groups in `others` that it then covers; the oldest id is kept. */
  #generalise(group: Group, positions: readonly number[], others: readonly Group[]): Group {
    const changed = positions.filter((position) => group.parsed.words[position] !== null);
    if (changed.length === 0) return group;
    for (const position of changed) group.parsed.words[position] = null;
    let oldest = group;
    for (const other of others) {
      if (other === group || !this.#groups.has(other.id) || !covers(group.parsed.words, other.parsed.words)) continue;
      const [into, from] = others.indexOf(other) < others.indexOf(oldest) ? [other, oldest] : [oldest, other];
      into.parsed.words.splice(0, Infinity, ...group.parsed.words);
      this.#merge(from, into);
      oldest = into;
    }
    oldest.mined = { id: oldest.id, template: render(oldest.parsed), isNew: false };
    return oldest;
  }

  #merge(from: Group, into: Group): void {
    for (const wording of from.wordings) {
      wording.group = into;
      into.wordings.push(wording);
      this.#alias(wording.fingerprint, into.id);
    }
    this.#alias(from.id, into.id);
    this.#close(from);
  }

  #alias(from: string, to: string): void {
    this.#aliases.delete(from);
    this.#aliases.set(from, to);
    if (this.#aliases.size <= this.#maxAliases) return;
    for (const oldest of this.#aliases.keys()) {
      this.#aliases.delete(oldest);
      return;
    }
  }

  #open(id: string, apart: string, parsed: Parsed): Group {
    const group: Group = { id, apart, parsed, mined: { id, template: render(parsed), isNew: false }, wordings: [] };
    this.#groups.set(id, group);
    const key = bucketOf(parsed.words, apart);
    const bucket = this.#buckets.get(key);
    if (bucket) bucket.push(group);
    else this.#buckets.set(key, [group]);
    return group;
  }

  #close(group: Group): void {
    this.#groups.delete(group.id);
    const key = bucketOf(group.parsed.words, group.apart);
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return;
    bucket.splice(bucket.indexOf(group), 1);
    if (bucket.length === 0) this.#buckets.delete(key);
  }

  #remember(key: number, fingerprint: string, group: Group, lastUsed: number): void {
    const wording: Wording = { key, fingerprint, group, lastUsed };
    group.wordings.push(wording);
    this.#wordings.set(key, wording);
  }

  /** Evicts the least recently used eighth together, so that many additions share the cost of sorting. */
  #evict(): void {
    const byAge = [...this.#wordings.values()].sort((a, b) => a.lastUsed - b.lastUsed);
    const gone = new Set(byAge.slice(0, byAge.length - Math.floor(this.#maxWordings * 0.875)));
    const touched = new Set<Group>();
    for (const wording of gone) {
      this.#wordings.delete(wording.key);
      touched.add(wording.group);
    }
    for (const group of touched) {
      group.wordings = group.wordings.filter((wording) => !gone.has(wording));
      if (group.wordings.length === 0) this.#close(group);
    }
  }
}

/** Returns 53 of the 64 bits: all that a number holds exactly. */
function pairKey(high: number, low: number): number {
  return (high >>> 0) * 2_097_152 + (low >>> 11);
}

function keyOfHex(fingerprint: string): number {
  return pairKey(Number.parseInt(fingerprint.slice(0, 8), 16), Number.parseInt(fingerprint.slice(8), 16));
}

/**
 * Returns the bucket key. Only messages of equal length and first word are compared; the first word is never
 * generalised.
 */
function bucketOf(words: Words, apart: string): string {
  return `${words.length} ${words[0] ?? ''} ${apart}`;
}
