import type { Clock, Fix } from 'rsi-loop';
import { type Certificate, certificateProblems, readCertificate } from './certificate.js';
import { Document } from './document.js';
import { Facts } from './facts.js';
import { keptVersions } from './kept-versions.js';
import { proofsIn } from './proof.js';
import { Registry, type RejectedSkill } from './registry.js';
import type { Skill } from './skill.js';
import { CERTIFICATE, textFile } from './skill-files.js';
import type { SkillFolder } from './skill-folder.js';
import { UsageCounts } from './usage.js';
import { type ListedSkill, listedSkill } from './views.js';

/** Skills of a folder, and those that were not read. */
export interface SkillList {
  readonly skills: readonly ListedSkill[];
  readonly rejected: readonly RejectedSkill[];
}

/** Version of a skill with its content. */
export interface KeptSkill extends Skill {
  /** `current`: agents get it. `candidate`: it runs beside the current one. `older`: kept. */
  readonly role: 'current' | 'candidate' | 'older';
}

/** Everything about a skill. Its texts are untrusted. */
export interface SkillDetail {
  readonly listed: ListedSkill;
  /** The current one among them; oldest first. */
  readonly versions: readonly KeptSkill[];
  /** Certificate of the current version, or why it does not hold. */
  readonly certificate?: { readonly value?: Certificate; readonly problems: readonly string[] };
}

/** Reads a folder of skills for people, beside the programs that use it. Changes nothing in it. */
export class SkillReader {
  readonly #folder: SkillFolder;
  readonly #facts: Facts;
  readonly #registry: Registry;
  readonly #clock: Pick<Clock, 'now' | 'after'>;

  constructor(folder: SkillFolder, clock: Pick<Clock, 'now' | 'after' | 'monotonic'>) {
    this.#folder = readOnly(folder);
    this.#clock = clock;
    this.#facts = new Facts(this.#folder, clock);
    this.#registry = new Registry({ folder: this.#folder, facts: this.#facts, clock, onSeen: () => {} });
  }

  /** Returns the skills by name. `fixes` are those of the loop that proves them. */
  async list(fixes: Iterable<Fix>): Promise<SkillList> {
    await this.#registry.refresh();
    const usage = new UsageCounts(this.#folder, this.#clock, () => {});
    await usage.open();
    const proofs = proofsIn(fixes);
    const skills = this.#registry.summaries().map((one) => listedSkill(one, usage.of(one.hash), proofs));
    return { skills, rejected: this.#registry.rejected() };
  }

  /** Returns one skill with its versions; `undefined` if no readable skill has this name. */
  async read(name: string, fixes: Iterable<Fix>): Promise<SkillDetail | undefined> {
    const listed = (await this.list(fixes)).skills.find((one) => one.name === name);
    if (!listed) return undefined;
    const current = await this.#registry.skill(name);
    const text = textFile(current.files, CERTIFICATE);
    return {
      listed,
      versions: await this.#versions(current),
      ...(text !== undefined && { certificate: checked(current, text) }),
    };
  }

  /** Returns another text once a skill or the counts have changed. */
  async stamp(): Promise<string> {
    const found = await this.#folder.scan();
    const uses = (await this.#folder.readDocument('usage.json')) ?? '';
    const facts = (await this.#folder.readDocument('facts.json')) ?? '';
    return `${found.map(({ name, stamp }) => `${name} ${stamp}`).join('\n')}\n${uses}\n${facts}`;
  }

  async #versions(current: Skill): Promise<readonly KeptSkill[]> {
    const candidates = new Document<{ readonly hashes: Readonly<Record<string, string>> }>(
      this.#folder,
      'candidates.json',
      'rsi-skill-candidates/1',
    );
    const candidate = (await candidates.read())?.hashes[current.name];
    const older = (await keptVersions(this.#folder, this.#facts, current.name)).filter(
      ({ hash }) => hash !== current.hash,
    );
    const byHash = new Map(older.map((one) => [one.hash, one]));
    const kept = [...byHash.values()].map(
      (one): KeptSkill => ({ ...one, role: one.hash === candidate ? 'candidate' : 'older' }),
    );
    return [...kept, { ...current, role: 'current' as const }].sort((a, b) => a.version - b.version);
  }
}

function checked(skill: Skill, text: string): NonNullable<SkillDetail['certificate']> {
  const problems = certificateProblems(skill, text);
  return problems.length === 0 ? { value: readCertificate(text), problems } : { problems };
}

/** Returns the folder without its writes. */
function readOnly(folder: SkillFolder): SkillFolder {
  const ignore = async () => {};
  return {
    scan: () => folder.scan(),
    read: (name) => folder.read(name),
    stampOf: (name) => folder.stampOf(name),
    versions: (name) => folder.versions(name),
    readDocument: (name) => folder.readDocument(name),
    ...(folder.seal && { seal: () => folder.seal?.() ?? Promise.resolve(undefined) }),
    restore: async () => false,
    put: ignore,
    keep: ignore,
    rewrite: ignore,
    remove: ignore,
    writeDocument: ignore,
  };
}
