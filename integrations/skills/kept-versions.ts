import { LoopError } from 'rsi-loop';
import type { Facts } from './facts.js';
import type { Skill } from './skill.js';
import { readSkill } from './skill-files.js';
import type { SkillFolder } from './skill-folder.js';

/** Reads the versions of a skill, or of all skills, that are not current. Leaves out what cannot be read. */
export async function keptVersions(folder: SkillFolder, facts: Facts, of?: string): Promise<readonly Skill[]> {
  return (await folder.versions(of)).flatMap(({ name, files }) => {
    try {
      const skill = readSkill(name, files);
      return [{ ...skill, ...facts.of(name, skill.hash) }];
    } catch (error) {
      if (!LoopError.is(error)) throw error;
      return []; // a version of another program, or an edited one
    }
  });
}
