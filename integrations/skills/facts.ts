import type { Clock } from 'rsi-loop';
import { Document } from './document.js';
import type { SkillFacts, SkillStatus } from './skill.js';
import type { SkillFolder } from './skill-folder.js';

/** Fact about one version, as it is stored. */
interface StoredFacts extends Partial<SkillFacts> {
  readonly name: string;
}

/** Time for which facts that were read are used again. */
const FRESH_MS = 1_000;

/**
 * Facts of this program about the versions of skills, by their hash: number, ancestry, result of the tests, deprecation,
 * trust. They are in `.rsi` and never in the files of a skill. Results and trust hold only on the machine and in the folder
 * where they were written: a copied folder begins untested.
 */
export class Facts {
  readonly #folder: SkillFolder;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #document: Document<{ readonly seal: string; readonly facts: Readonly<Record<string, StoredFacts>> }>;
  #known = new Map<string, StoredFacts>();
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(folder: SkillFolder, clock: Pick<Clock, 'monotonic'>) {
    this.#folder = folder;
    this.#clock = clock;
    this.#document = new Document(folder, 'facts.json', 'rsi-skill-facts/1');
  }

  /** Reads what other processes wrote, unless that was done within the last second. */
  async refresh(when: 'now' | 'if-old' = 'if-old'): Promise<void> {
    if (when === 'if-old' && this.#clock.monotonic() - this.#readMs < FRESH_MS) return;
    this.#readMs = this.#clock.monotonic();
    this.#known = await this.#read();
  }

  /** Returns the facts about a version. A version that is not known is untested: an edit by hand has the number of the one it changed. */
  of(name: string, hash: string): SkillFacts {
    const { name: _, ...known } = this.#known.get(hash) ?? { name };
    if (known.version !== undefined) return { status: 'untested', ...known, version: known.version };
    const versions = [...this.#known.values()].filter((one) => one.name === name).map(({ version = 0 }) => version);
    return { status: 'untested', ...known, version: Math.max(1, ...versions) };
  }

  /** Stores facts about a version. `undefined` removes one. */
  async set(
    { name, hash }: { readonly name: string; readonly hash: string },
    change: { readonly [Key in keyof SkillFacts]?: SkillFacts[Key] | undefined },
  ): Promise<void> {
    const version = this.of(name, hash).version;
    const after = (known: StoredFacts | undefined): StoredFacts =>
      without({ name, version, ...known, ...change }) as StoredFacts; // the name is there
    // Callers see it before it is written.
    this.#known.set(hash, after(this.#known.get(hash)));
    const stored = await this.#read();
    stored.set(hash, after(stored.get(hash)));
    this.#known = stored;
    const facts = Object.fromEntries(stored);
    // The folder of the documents must be there to be sealed.
    if (this.#folder.seal && (await this.#folder.seal()) === undefined) await this.#document.write({ seal: '', facts });
    await this.#document.write({ seal: (await this.#folder.seal?.()) ?? '', facts });
  }

  async setStatus(skill: { readonly name: string; readonly hash: string }, status: SkillStatus): Promise<void> {
    if (this.of(skill.name, skill.hash).status !== status) await this.set(skill, { status });
  }

  async #read(): Promise<Map<string, StoredFacts>> {
    const { seal, facts = {} } = (await this.#document.read()) ?? {};
    const isOwn = this.#folder.seal === undefined || seal === (await this.#folder.seal());
    return new Map(
      Object.entries(facts).map(([hash, one]) => {
        const { status: _, trusted: __, ...rest } = one;
        return [hash, isOwn ? one : rest];
      }),
    );
  }
}

function without(facts: object): object {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
