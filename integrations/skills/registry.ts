import { type Clock, type Embedder, LoopError } from 'rsi-loop';
import { nearestName, showValue } from 'rsi-loop/kit';
import { Document } from './document.js';
import type { Facts } from './facts.js';
import { RetrievalIndex } from './retrieval.js';
import type { Skill, SkillFacts, SkillFiles, SkillSummary, SkillText } from './skill.js';
import { readSkill, summaryOf } from './skill-files.js';
import type { SkillFolder } from './skill-folder.js';

/** Skill that was not read, and why. */
export interface RejectedSkill {
  readonly name: string;
  readonly problem: string;
}

/** Entry of the index: what was read of a skill with this stamp. */
type Entry = { readonly stamp: string } & (
  | { readonly kind: 'skill'; readonly summary: Omit<SkillSummary, keyof SkillFacts> }
  | { readonly kind: 'rejected'; readonly problem: string }
);

export interface RegistryPorts {
  readonly folder: SkillFolder;
  readonly facts: Facts;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly embedder?: Embedder;
  /** Called with the error of an embedder that does not answer. */
  readonly onProblem?: (error: unknown) => void;
  /** Called for each version that is new in the folder. */
  readonly onSeen: (summary: { readonly hash: string }) => void;
}

/** Time for which a list of the folder is used again. */
const FRESH_MS = 1_000;

/** Skills of a folder. An index holds what was read, so that unchanged skills are not read again. */
export class Registry {
  readonly #ports: RegistryPorts;
  readonly #index: Document<{ readonly entries: Readonly<Record<string, Entry>> }>;
  #entries = new Map<string, Entry>();
  #scannedMs = Number.NEGATIVE_INFINITY;
  #scanning: Promise<void> | undefined;
  /** Built at the first search after a change. */
  #search: { readonly key: string; readonly index: RetrievalIndex } | undefined;
  readonly #loaded = new Map<string, { readonly stamp: string; readonly skill: SkillText }>();
  #isIndexOld = false;

  constructor(ports: RegistryPorts) {
    this.#ports = ports;
    this.#index = new Document(ports.folder, 'index.json', 'rsi-skill-index/1');
  }

  /** Reads the folder again, unless that was done within the last second. `now` reads it in any case. */
  async refresh(when: 'now' | 'if-old' = 'if-old'): Promise<void> {
    const isFresh = this.#ports.clock.monotonic() - this.#scannedMs < FRESH_MS;
    if (when === 'if-old' && isFresh) return this.#scanning;
    const scanning = (this.#scanning ?? Promise.resolve()).catch(() => {}).then(() => this.#scan());
    this.#scanning = scanning;
    this.#scannedMs = this.#ports.clock.monotonic();
    await scanning;
  }

  /** Returns the skills that could be read, by name. */
  summaries(): readonly SkillSummary[] {
    const { facts } = this.#ports;
    return [...this.#entries.values()].flatMap((entry) =>
      entry.kind === 'skill' ? [{ ...entry.summary, ...facts.of(entry.summary.name, entry.summary.hash) }] : [],
    );
  }

  rejected(): readonly RejectedSkill[] {
    return [...this.#entries].flatMap(([name, entry]) =>
      entry.kind === 'rejected' ? [{ name, problem: entry.problem }] : [],
    );
  }

  /** Returns the index for searches among the skills that agents may get. */
  search(): RetrievalIndex {
    const active = this.summaries().filter(isActive);
    const key = active.map(({ hash }) => hash).join();
    const { embedder, onProblem } = this.#ports;
    if (this.#search?.key !== key) this.#search = { key, index: new RetrievalIndex(active, embedder, onProblem) };
    return this.#search.index;
  }

  /**
   * Reads a skill as it is now.
   * @throws LoopError `invalid-input` for an unknown name, or a skill that cannot be read.
   */
  async skill(name: string): Promise<Skill> {
    const stamp = this.#ports.folder.stampOf(name);
    const known = this.#loaded.get(name);
    if (stamp === undefined) throw this.#unknown(name);
    const skill = known && known.stamp === stamp ? known.skill : readSkill(name, await this.#ports.folder.read(name));
    this.#loaded.set(name, { stamp, skill });
    await this.#ports.facts.refresh();
    return { ...skill, ...this.#ports.facts.of(name, skill.hash) };
  }

  /** Writes files as the current version of a skill, with facts about it. */
  async put(name: string, files: SkillFiles, facts: Partial<SkillFacts>): Promise<Skill> {
    const { folder, facts: known } = this.#ports;
    const skill = readSkill(name, files);
    await known.set(skill, facts);
    await folder.put(name, files);
    await this.refresh('now');
    return { ...skill, ...known.of(name, skill.hash) };
  }

  /** Writes the index, if the folder has changed since. Reading the folder alone writes nothing. */
  async writeIndex(): Promise<void> {
    if (!this.#isIndexOld) return;
    this.#isIndexOld = false;
    await this.#index.write({ entries: Object.fromEntries(this.#entries) });
  }

  #unknown(name: string): LoopError {
    const names = this.summaries().map((one) => one.name);
    const meant = typeof name === 'string' ? nearestName(name, names) : undefined;
    const known = names.length === 0 ? 'the folder has none' : `see rsi skill list for the ${names.length} there are`;
    return new LoopError(
      'invalid-input',
      `no skill is called ${showValue(name)}: ${meant ? `did you mean ${meant}?` : known}`,
    );
  }

  async #scan(): Promise<void> {
    const { folder, facts } = this.#ports;
    await facts.refresh('now');
    const found = await folder.scan();
    const before = this.#entries.size === 0 ? await this.#readIndex() : this.#entries;
    const entries = new Map<string, Entry>();
    let isChanged = before.size !== found.length;
    for (const { name, stamp } of found) {
      const known = before.get(name);
      const entry = known?.stamp === stamp ? known : await this.#read(name, stamp);
      isChanged ||= entry !== known;
      entries.set(name, entry);
      if (entry !== this.#entries.get(name) && entry.kind === 'skill') this.#ports.onSeen(entry.summary);
    }
    this.#entries = entries;
    this.#isIndexOld ||= isChanged;
  }

  async #readIndex(): Promise<ReadonlyMap<string, Entry>> {
    const { entries = {} } = (await this.#index.read()) ?? {};
    return new Map(Object.entries(entries));
  }

  async #read(name: string, stamp: string): Promise<Entry> {
    try {
      return { kind: 'skill', stamp, summary: summaryOf(readSkill(name, await this.#ports.folder.read(name))) };
    } catch (error) {
      if (!LoopError.is(error)) throw error;
      return { kind: 'rejected', stamp, problem: error.message };
    }
  }
}

/** Returns whether agents may get a skill: its tests pass, or it has no code, and nothing speaks against it. */
export function isActive({ status, language, deprecated, suspect, trusted }: SkillSummary): boolean {
  if (deprecated !== undefined || (suspect !== undefined && trusted === undefined)) return false;
  return language === undefined ? status !== 'failed' : status === 'working';
}
