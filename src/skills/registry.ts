import type { Clock } from '../contract/clock.js';
import type { Embedder } from '../contract/embedder.js';
import { LoopError } from '../contract/errors.js';
import { nearestName } from '../lib/nearest-name.js';
import { showValue } from '../lib/text.js';
import { Document } from './document.js';
import { RetrievalIndex } from './retrieval.js';
import type { Skill, SkillSummary } from './skill.js';
import { readSkill, type SkillFiles, summaryOf, writeSkill } from './skill-files.js';
import type { SkillFolder } from './skill-folder.js';

/** Skill that was not read, and why. */
export interface RejectedSkill {
  readonly name: string;
  readonly problem: string;
}

/** Entry of the index: what was read of a skill with this stamp. */
type Entry = { readonly stamp: string } & (
  | { readonly kind: 'skill'; readonly summary: SkillSummary }
  | { readonly kind: 'rejected'; readonly problem: string }
);

export interface RegistryPorts {
  readonly folder: SkillFolder;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly embedder?: Embedder;
  /** Called for each version that is new in the folder. */
  readonly onSeen: (summary: SkillSummary) => void;
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
  #search: RetrievalIndex | undefined;
  readonly #loaded = new Map<string, { readonly stamp: string; readonly skill: Skill }>();

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
    return [...this.#entries.values()].flatMap((entry) => (entry.kind === 'skill' ? [entry.summary] : []));
  }

  rejected(): readonly RejectedSkill[] {
    return [...this.#entries].flatMap(([name, entry]) =>
      entry.kind === 'rejected' ? [{ name, problem: entry.problem }] : [],
    );
  }

  /** Returns the index for searches among the skills that agents may get. */
  search(): RetrievalIndex {
    this.#search ??= new RetrievalIndex(this.summaries().filter(isActive), this.#ports.embedder);
    return this.#search;
  }

  /**
   * Reads a skill as it is now.
   * @throws LoopError `invalid-input` for an unknown name, or a skill that cannot be read.
   */
  async skill(name: string): Promise<Skill> {
    const stamp = this.#ports.folder.stampOf(name);
    const known = this.#loaded.get(name);
    if (known && known.stamp === stamp) return known.skill;
    if (stamp === undefined) throw this.#unknown(name);
    const skill = readSkill(name, await this.#ports.folder.read(name));
    this.#loaded.set(name, { stamp, skill });
    return skill;
  }

  /** Writes a skill as the current version of its name. */
  async put(skill: Skill): Promise<void> {
    const files = writeSkill(skill);
    mustBeReadable(skill, files);
    await this.#ports.folder.put(skill.name, files);
    await this.refresh('now');
  }

  /** Writes other facts about a skill, such as its status, and leaves its content as it is. */
  async rewrite(skill: Skill): Promise<void> {
    const markdown = writeSkill(skill).get('SKILL.md');
    if (typeof markdown === 'string') await this.#ports.folder.rewrite(skill.name, 'SKILL.md', markdown);
    await this.refresh('now');
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
    const { folder } = this.#ports;
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
    if (isChanged || this.#entries.size === 0) this.#search = undefined;
    this.#entries = entries;
    if (isChanged) await this.#index.write({ entries: Object.fromEntries(entries) });
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
export function isActive({ status, language, deprecated, suspect }: SkillSummary): boolean {
  if (deprecated !== undefined || suspect !== undefined) return false;
  return language === undefined ? status !== 'failed' : status === 'working';
}

/** @throws LoopError `invalid-input` for a skill that could not be read again as it is. */
function mustBeReadable(skill: Skill, files: SkillFiles): void {
  const { hash, status } = readSkill(skill.name, files);
  if (hash !== skill.hash || status !== skill.status)
    throw new LoopError('invalid-input', `skill ${skill.name}: its texts cannot be written so that they read the same`);
}
