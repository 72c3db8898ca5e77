import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LoopError } from 'rsi-loop';
import type { StudyReport } from 'rsi-loop/prove';
import { isOnTrial, ON_TRIAL, REMOVED, SKILL_FILE } from './on-trial.js';
import { studyOutcome } from './outcomes.js';
import type { SkillsFolder, SkillUnit } from './skill-units.js';
import type { StartOptions, StudyState } from './steps.js';
import { type SkillRemoval, type SkillStudy, type StudyEnd, StudyFolder, triedSkills } from './study-folder.js';

/** Result of putting skills back: `left` have two different files, and the one of the study stays beside the other. */
interface PutBack {
  readonly left: readonly string[];
}

/** Steps of a study of a folder of skills. Each can be repeated after an interruption. */
export class SkillSteps {
  readonly #folder: SkillsFolder;
  readonly #studies: StudyFolder;
  readonly #nowMs: number;

  constructor(folder: SkillsFolder, store: string, nowMs = Date.now()) {
    this.#folder = folder;
    this.#studies = new StudyFolder(store);
    this.#nowMs = nowMs;
  }

  /** Returns the newest study; `undefined` if the folder had none. */
  find(): { readonly study: SkillStudy; readonly state: StudyState } | undefined {
    const study = this.#newest();
    if (!study) return undefined;
    const end = this.#studies.ended(study);
    if (end) return { study, state: end.how };
    const tried = triedSkills(study);
    const found = tried.filter(({ name }) => isOnTrial(study.path, name)).length;
    return { study, state: found === tried.length ? 'running' : found > 0 ? 'changed' : 'missing' };
  }

  /** Returns the skills, and why some stay in every session. */
  plan({ withSafety }: Pick<StartOptions, 'withSafety'>): readonly SkillUnit[] {
    const maxCharacters = this.#studies.freeCharacters(this.#folder.path);
    const skills = this.#folder.read({ maxCharacters, ...(withSafety && { withSafety }) });
    if (skills.length > 0) return skills;
    throw new LoopError(
      'invalid-input',
      `${this.#folder.shown} has no folder with a ${SKILL_FILE}: name a folder of skills, such as .claude/skills`,
    );
  }

  report(study: SkillStudy): Promise<StudyReport> {
    return this.#studies.with(study, (found) => found.report());
  }

  /** Renames the files of the skills. The study is on the disk before that. */
  async start({ share, counts, errorRate, withSafety }: StartOptions): Promise<SkillStudy> {
    const found = this.find();
    if (found?.state === 'running' || found?.state === 'changed')
      throw new LoopError('illegal-step', `a study of ${this.#folder.shown} is running: --stop ends it`);
    const skills = this.plan(withSafety ? { withSafety } : {});
    const { path, shown } = this.#folder;
    const tried = triedSkills({ skills });
    if (tried.length === 0)
      throw new LoopError('invalid-input', `every skill of ${shown} is kept: there is nothing to prove`);
    const taken = tried.find(({ name }) => existsSync(join(path, name, ON_TRIAL)));
    if (taken)
      throw new LoopError(
        'illegal-step',
        `${shown}/${taken.name} holds ${ON_TRIAL} of a study: name the folder of its loop with --store, or remove it`,
      );
    const earlier = await this.#studies.earlier(path, counts);
    const id = this.#studies.idFor(path, this.#nowMs);
    const study: SkillStudy = {
      format: 1,
      kind: 'skills',
      id,
      path,
      startedMs: this.#nowMs,
      counts,
      ...earlier,
      skills,
    };
    await this.#studies.create(study);
    await this.#studies.with(study, async () => undefined, {
      share,
      outcome: studyOutcome(counts),
      ...(errorRate !== undefined && { errorRate }),
    });
    for (const { name } of tried) this.#rename(name, SKILL_FILE, ON_TRIAL);
    return study;
  }

  /** Renames the files of the skills back, and ends the study. */
  async stop(): Promise<PutBack> {
    const found = this.find();
    if (!found || this.#studies.ended(found.study))
      throw new LoopError('illegal-step', `no study of ${this.#folder.shown} is running: nothing was changed`);
    const left = this.#putBack(found.study);
    await this.#studies.end(found.study, { how: 'stopped', atMs: this.#nowMs });
    return { left };
  }

  /** Ends the study and removes the skills that harm. Returns their names; none means that nothing was changed. */
  async apply(): Promise<readonly string[]> {
    const found = this.find();
    if (!found) throw new LoopError('illegal-step', `there is no study of ${this.#folder.shown}: --start begins one`);
    const { study } = found;
    const { lines } = await this.report(study);
    const names = lines.flatMap(({ text, verdict }) => (verdict === 'harms' ? text : []));
    if (names.length === 0) return [];
    const isThere = (name: string) => isOnTrial(study.path, name) || this.#has(name, SKILL_FILE);
    if (removalOf(this.#studies.ended(study))?.how === 'applied' && !names.some(isThere))
      throw new LoopError('illegal-step', `the skills that harm are removed from ${this.#folder.shown} already`);
    const blocked = names.find((name) => isThere(name) && this.#has(name, REMOVED));
    if (blocked !== undefined)
      throw new LoopError(
        'store-conflict',
        `${this.#folder.shown}/${blocked} holds an earlier ${REMOVED}: move it away. Nothing was changed`,
      );
    // Recorded first: after an interruption, both --apply and --undo can finish.
    await this.#studies.end(study, { how: 'applied', atMs: this.#nowMs, names });
    this.#putBack(study);
    for (const name of names) if (this.#has(name, SKILL_FILE)) this.#rename(name, SKILL_FILE, REMOVED);
    return names;
  }

  /** Puts back what `apply` removed. Returns the names. */
  async undo(): Promise<readonly string[]> {
    const study = this.#newest();
    const end = study && removalOf(this.#studies.ended(study));
    if (!study || end?.how !== 'applied')
      throw new LoopError(
        'illegal-step',
        `nothing was removed from ${this.#folder.shown} by --apply: nothing was changed`,
      );
    const removed = end.names.filter((name) => this.#has(name, REMOVED));
    const taken = removed.find((name) => this.#has(name, SKILL_FILE));
    if (taken !== undefined)
      throw new LoopError(
        'store-conflict',
        `${this.#folder.shown}/${taken} has a ${SKILL_FILE} again: put ${REMOVED} back by hand. Nothing was changed`,
      );
    this.#putBack(study);
    for (const name of removed) this.#rename(name, REMOVED, SKILL_FILE);
    await this.#studies.end(study, { ...end, how: 'undone', atMs: this.#nowMs });
    return end.names;
  }

  #newest(): SkillStudy | undefined {
    const study = this.#studies.newest(this.#folder.path);
    return study?.kind === 'skills' ? study : undefined;
  }

  /** Returns the skills that have a different file of their own by now: the file of the study stays beside it. */
  #putBack(study: SkillStudy): readonly string[] {
    return triedSkills(study).flatMap(({ name }) => {
      if (!this.#has(name, ON_TRIAL)) return [];
      if (!this.#has(name, SKILL_FILE)) this.#rename(name, ON_TRIAL, SKILL_FILE);
      else if (this.#read(name, SKILL_FILE).equals(this.#read(name, ON_TRIAL)))
        rmSync(join(this.#folder.path, name, ON_TRIAL));
      else return [name];
      return [];
    });
  }

  #has(name: string, file: string): boolean {
    return existsSync(join(this.#folder.path, name, file));
  }

  #read(name: string, file: string): Buffer {
    return readFileSync(join(this.#folder.path, name, file));
  }

  #rename(name: string, from: string, to: string): void {
    renameSync(join(this.#folder.path, name, from), join(this.#folder.path, name, to));
  }
}

function removalOf(end: StudyEnd | undefined): SkillRemoval | undefined {
  return end && 'names' in end ? end : undefined;
}
