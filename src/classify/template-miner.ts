import { SignatureReader, signatureHex } from './signature.js';
import { compare, covers, mayTurnOutSame, type Parsed, parse, render, sameAtSight, type Words } from './template.js';

export interface TemplateMinerOptions {
  /** Wordings remembered, several of which may share a group; beyond it the ones unused for longest go. Default 10,000. */
  readonly maxWordings?: number;
  /** Names kept of what belongs to a group with another id, also after the group is forgotten. Default 40,000. */
  readonly maxAliases?: number;
  /**
   * Says what must stay apart however alike it reads, e.g. the category of an error. Called only for wordings not seen
   * before; groups with different answers are never merged.
   */
  readonly separate?: (message: string) => string;
}

export interface MinedMessage {
  /** The group: the fingerprint of its first member. Never changes. */
  readonly id: string;
  /** The message with its variable parts as `<*>`. */
  readonly template: string;
  /** This message opened the group, or opened it again after it was forgotten. */
  readonly isNew: boolean;
}

/** Everything a miner knows, as plain JSON. */
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
  /** The answer for every further member; made anew when the template changes. */
  mined: MinedMessage;
  wordings: Wording[];
}

interface Wording {
  readonly key: number;
  readonly fingerprint: string;
  group: Group;
  lastUsed: number;
}

/** So many words at one place of an otherwise equal message make the place variable. */
const LEARN_AFTER = 5;
/** Groups looked at for one unseen wording. */
const MAX_CANDIDATES = 64;

/**
 * Puts messages that differ only in their values into one group. A wording seen before costs one pass over its
 * characters and one lookup; only an unseen one is compared, with the few groups of its length and first word.
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
    this.#maxWordings = Math.max(8, options.maxWordings ?? 10_000);
    this.#maxAliases = Math.max(0, options.maxAliases ?? 40_000);
    this.#separate = options.separate ?? (() => '');
  }

  /** Groups known now. */
  get size(): number {
    return this.#groups.size;
  }

  /** Fingerprints and former ids that belong to another group; follow with `resolve`. */
  get aliases(): ReadonlyMap<string, string> {
    return this.#aliases;
  }

  /** The id a fingerprint or former group id stands for now. */
  resolve(id: string): string {
    let at = id;
    // An alias may lead to another one; a circle cannot arise, the bound is a belt.
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
    const key = keyOf(reader.high, reader.low);
    const known = this.#wordings.get(key);
    if (known !== undefined) {
      known.lastUsed = this.#clock++;
      return known.group.mined;
    }
    return this.#addUnseen(message, key, signatureHex(reader.high, reader.low));
  }

  /** The same state as JSON in the same order: two miners that were sent the same give the same text. */
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

  /** Goes on where the miner that made the snapshot stopped; what was known here before is forgotten. */
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

  /** The group an unseen wording belongs to, generalised so that it covers it. */
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

  /** Makes every place variable at which enough words stood, and brings together what is the same then. */
  #learn(words: (string | null)[], near: readonly Group[]): Group | undefined {
    const open = words.flatMap((word, position) => {
      const stood = new Set(near.map(({ parsed }) => parsed.words[position]));
      return word !== null && stood.add(word).size >= LEARN_AFTER ? [position] : [];
    });
    if (open.length === 0) return undefined;
    for (const position of open) words[position] = null;
    let joined: Group | undefined;
    // Oldest first, so that the first id is the one that stays.
    for (const group of near) {
      if (!this.#groups.has(group.id)) continue;
      const kept = this.#generalise(group, open, near);
      if (covers(kept.parsed.words, words)) joined ??= kept;
    }
    return joined;
  }

  /** Makes places of a group variable; what it covers among `others` is merged, the oldest id stays. */
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

  /** Forgets an eighth at once, the ones unused for longest, so that many additions share the cost of sorting. */
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

/** 53 of the 64 bits: what a number holds exactly. */
function keyOf(high: number, low: number): number {
  return (high >>> 0) * 2_097_152 + (low >>> 11);
}

function keyOfHex(fingerprint: string): number {
  return keyOf(Number.parseInt(fingerprint.slice(0, 8), 16), Number.parseInt(fingerprint.slice(8), 16));
}

/** Only messages of one length that start with the same word are compared; the first word is never generalised. */
function bucketOf(words: Words, apart: string): string {
  return `${words.length} ${words[0] ?? ''} ${apart}`;
}
