import { type Answer, LoopError } from 'rsi-loop';
import { partsOf, showValue } from 'rsi-loop/kit';
import { certificateOf } from './certificate.js';
import type { SkillContext } from './context.js';
import { Document } from './document.js';
import { TOLERATED } from './failure-alarm.js';
import { accessKey } from './grants.js';
import { keptVersions } from './kept-versions.js';
import { type Proofs, proofsIn } from './proof.js';
import type { ShadowFinding } from './shadow.js';
import { asksForAccess, type Skill, type SkillStatus } from './skill.js';
import { CERTIFICATE } from './skill-files.js';
import { metaView } from './views.js';

/** Version of a skill in its family tree. */
export interface SkillVersion {
  readonly name: string;
  readonly version: number;
  readonly hash: string;
  readonly parent?: string;
  readonly status: SkillStatus;
  readonly deprecated?: string;
  /** `current`: agents get it. `candidate`: it runs beside the current one. `older`: kept. */
  readonly role: 'current' | 'candidate' | 'older';
}

const PRUNE_MS = 90 * 86_400_000;

/** Keeps a folder in order: which versions are current, deprecated, candidates, pruned, and proven. */
export class FolderCare {
  readonly #context: SkillContext;
  /** Hashes of the candidates, by name. */
  readonly #candidates: Document<{ readonly hashes: Readonly<Record<string, string>> }>;

  constructor(context: SkillContext) {
    this.#context = context;
    this.#candidates = new Document(context.folder, 'candidates.json', 'rsi-skill-candidates/1');
  }

  /** Finds the candidates among the kept versions. */
  async open(): Promise<void> {
    const { candidates, registry } = this.#context;
    const current = new Map(registry.summaries().map((one) => [one.name, one.hash]));
    const { hashes = {} } = (await this.#candidates.read()) ?? {};
    for (const [name, hash] of Object.entries(hashes)) {
      const found = (await this.#versions(name)).find((one) => one.hash === hash && one.parent === current.get(name));
      if (found) candidates.set(name, found);
    }
  }

  /** Keeps a version beside the current one. Calls of the current one run on both. */
  async addCandidate(child: Skill): Promise<void> {
    const { folder, candidates, usage } = this.#context;
    await folder.keep(child.name, child.files);
    candidates.set(child.name, child);
    usage.see(child.hash);
    await this.#writeCandidates();
  }

  async deprecate(name: string, reason: string): Promise<void> {
    const { registry, facts, emit } = this.#context;
    await facts.set(await registry.skill(name), { deprecated: reason });
    emit({ kind: 'skill-deprecated', name, reason });
  }

  async revive(name: string): Promise<void> {
    const { registry, facts, usage, folder } = this.#context;
    const isPruned = folder.stampOf(name) === undefined;
    if (isPruned && !(await folder.restore(name)))
      throw new LoopError('invalid-input', `no skill is called ${showValue(name)}, and no version of it was kept`);
    const skill = await registry.skill(name);
    if (!isPruned && skill.deprecated === undefined)
      throw new LoopError('invalid-input', `skill ${name} is not deprecated`);
    usage.reset(skill.hash);
    await facts.set(skill, { deprecated: undefined });
    await registry.refresh('now');
  }

  /** Accepts the texts of a skill that a person has read. It holds for these files only. */
  async trust(name: string, { by, reason }: Answer): Promise<void> {
    const { registry, facts } = this.#context;
    await facts.set(await registry.skill(name), { trusted: { by, reason: reason ?? 'read' } });
  }

  /** Deprecates a skill whose calls fail too often. */
  async alarm(skill: Skill): Promise<void> {
    const { usage, registry } = this.#context;
    const now = await registry.skill(skill.name);
    if (now.hash !== skill.hash || now.deprecated !== undefined) return;
    const { calls = 0, failures = 0 } = usage.of(skill.hash) ?? {};
    const tolerated = `${TOLERATED * 100} %`;
    await this.deprecate(
      skill.name,
      `harm alarm: ${failures} of ${calls} calls failed, and ${tolerated} are tolerated`,
    );
    await this.writeViews();
  }

  /** Makes the candidate the current version. @throws LoopError `invalid-input` if there is none. */
  async promote(name: string): Promise<void> {
    const { candidates, registry, emit } = this.#context;
    const candidate = candidates.get(name);
    if (!candidate) throw new LoopError('invalid-input', `skill ${name} has no candidate: rsi skill mutate makes one`);
    const { files, version, parent, status } = candidate;
    await registry.put(name, files, { version, status, ...(parent !== undefined && { parent }) });
    candidates.delete(name);
    await this.#writeCandidates();
    emit({ kind: 'skill-saved', name, hash: candidate.hash, status: candidate.status });
  }

  /** Ends the comparison of a candidate that is not better. */
  async dropCandidate(name: string, finding: ShadowFinding): Promise<void> {
    const { candidates, emit } = this.#context;
    const candidate = candidates.get(name);
    if (!candidate) return;
    candidates.delete(name);
    await this.#writeCandidates();
    const reason =
      finding === 'worse'
        ? 'it did worse than its parent on the same calls'
        : 'it did not do better than its parent on the same calls';
    emit({ kind: 'skill-deprecated', name: `${name}@${candidate.hash.slice(0, 8)}`, reason });
  }

  /** Removes what was neither used nor proven for long. */
  async prune(dry: boolean, proofs: Proofs): Promise<readonly string[]> {
    const { registry, usage, clock, folder } = this.#context;
    const before = clock.now() - PRUNE_MS;
    for (const { hash } of registry.summaries()) usage.see(hash);
    const old = registry.summaries().filter((summary) => {
      const use = usage.of(summary.hash);
      const status = proofs.get(summary.hash)?.status;
      const isProven =
        status === 'confirmed' || status === 'trial' || status === 'approved' || status === 'applied-unverified';
      return use !== undefined && !isProven && Math.max(use.sinceMs, use.lastMs ?? 0) < before;
    });
    if (!dry) {
      await usage.flush('with-seen');
      for (const { name } of old) await folder.remove(name);
    }
    await registry.refresh('now');
    return old.map(({ name }) => name);
  }

  async tree(name?: string): Promise<readonly SkillVersion[]> {
    const { registry, candidates } = this.#context;
    const current = await Promise.all(registry.summaries().map((one) => registry.skill(one.name)));
    const hashes = new Set(current.map(({ hash }) => hash));
    const rows = new Map<string, SkillVersion>();
    for (const skill of [...(await this.#versions(name)), ...current]) {
      if (name !== undefined && skill.name !== name) continue;
      const isCandidate = candidates.get(skill.name)?.hash === skill.hash;
      const role = hashes.has(skill.hash) ? 'current' : isCandidate ? 'candidate' : 'older';
      const { version, hash, parent, status, deprecated } = skill;
      rows.set(`${skill.name} ${hash}`, {
        name: skill.name,
        version,
        hash,
        status,
        role,
        ...(parent !== undefined && { parent }),
        ...(deprecated !== undefined && { deprecated }),
      });
    }
    return [...rows.values()].sort((a, b) => (a.name === b.name ? a.version - b.version : a.name < b.name ? -1 : 1));
  }

  /** Stores a person's answer for every question about a skill. */
  async answerAccess(name: string, granted: boolean, { by, reason }: Answer): Promise<void> {
    const { grants, folder, registry, clock } = this.#context;
    const grant = { granted, by, reason: reason ?? (granted ? 'granted' : 'denied'), atMs: clock.now() };
    const keys = [...grants.questions].filter(([, question]) => question.name === name).map(([key]) => key);
    const skill = folder.stampOf(name) === undefined ? undefined : await registry.skill(name);
    if (skill && asksForAccess(skill.asks)) keys.push(accessKey(skill));
    if (keys.length === 0) throw new LoopError('invalid-input', `no skill called ${showValue(name)} asks for access`);
    for (const key of keys) await grants.set(key, grant);
  }

  /** Takes over the decisions of the ledger: certificates for proven skills, and an end for those that did not help. */
  async followProofs(): Promise<void> {
    const { registry, folder, emit, loop } = this.#context;
    const { ledger, store } = partsOf(loop);
    const proofs = proofsIn(ledger.state.fixes.values());
    let isChanged = false;
    for (const summary of registry.summaries()) {
      const fix = proofs.get(summary.hash);
      if (!fix) continue;
      if (fix.status === 'rolled-back' && summary.deprecated === undefined) {
        await this.deprecate(
          summary.name,
          `its trial was rolled back (${fix.verdict?.kind ?? 'by hand'}): see rsi explain ${fix.id}`,
        );
        isChanged = true;
      } else if (fix.status === 'confirmed' && !(await folder.read(summary.name)).has(CERTIFICATE)) {
        const certificate = await certificateOf(await registry.skill(summary.name), fix, store.ledger);
        if (!certificate) continue;
        await folder.rewrite(summary.name, CERTIFICATE, `${JSON.stringify(certificate, null, 2)}\n`);
        isChanged = true;
        emit({ kind: 'skill-proven', name: summary.name, hash: summary.hash });
      }
    }
    if (isChanged) await this.writeViews();
  }

  /** Writes `memory.json`, `meta.json` and the index if they changed. */
  async writeViews(): Promise<void> {
    const { folder, memory, registry, usage } = this.#context;
    await registry.writeIndex();
    const views = {
      'memory.json': memory.view(registry.summaries()),
      'meta.json': metaView(registry.summaries(), usage),
    };
    for (const [name, view] of Object.entries(views)) {
      const text = `${JSON.stringify(view, null, 2)}\n`;
      if ((await folder.readDocument(name)) !== text) await folder.writeDocument(name, text);
    }
  }

  #writeCandidates(): Promise<void> {
    const hashes = [...this.#context.candidates].map(([name, { hash }]) => [name, hash] as const);
    return this.#candidates.write({ hashes: Object.fromEntries(hashes) });
  }

  /** Reads the kept versions that can be read, oldest first. */
  #versions(of?: string): Promise<readonly Skill[]> {
    return keptVersions(this.#context.folder, this.#context.facts, of);
  }
}
