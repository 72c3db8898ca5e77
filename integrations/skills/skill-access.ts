import { LoopError } from 'rsi-loop';
import { showValue } from 'rsi-loop/kit';
import type { SkillContext } from './context.js';
import { otherFiles, textFile } from './skill-files.js';

/** Access of agents to the folder of a skill: instructions, files, and where it is. Reading counts as use. */
export class SkillAccess {
  readonly #context: SkillContext;

  constructor(context: SkillContext) {
    this.#context = context;
  }

  /** Returns the instructions of a skill, and how to get to its other files. */
  async instructions(name: string): Promise<string> {
    const { registry, usage, folder } = this.#context;
    const skill = await registry.skill(name);
    usage.addRead(skill.hash);
    const files = otherFiles(skill);
    if (files.length === 0) return skill.body;
    const place = folder.placeOf?.(name);
    const where = place === undefined ? '' : ` Its folder is ${place}: run its scripts there, if you have a shell.`;
    return `${skill.body.trimEnd()}\n\nFiles of this skill: ${files.join(', ')}.${where}\n`;
  }

  /** Returns a file of a skill. @throws LoopError `invalid-input` for an unknown one. */
  async readFile(name: string, path: string): Promise<string | Uint8Array> {
    const { registry, usage } = this.#context;
    const skill = await registry.skill(name);
    const known = ['SKILL.md', ...otherFiles(skill)];
    const content = textFile(skill.files, path) ?? skill.files.get(path);
    if (content === undefined || !known.includes(path))
      throw new LoopError(
        'invalid-input',
        `skill ${name} has no file ${showValue(path)}: there are ${known.slice(0, 50).join(', ')}`,
      );
    usage.addRead(skill.hash);
    return content;
  }
}
