import { onTestFinished } from 'vitest';
import { Facts } from '../../../integrations/skills/facts.js';
import { fileLogs } from '../../../integrations/skills/file-logs.js';
import { FileSkillFolder } from '../../../integrations/skills/file-skill-folder.js';
import { SkillLibrary } from '../../../integrations/skills/library.js';
import type { LibraryOptions } from '../../../integrations/skills/library-options.js';
import type { Skill, SkillContent, SkillFacts } from '../../../integrations/skills/skill.js';
import { skillOf as readAgain } from '../../../integrations/skills/skill-files.js';
import { RSILoop } from '../../../src/loop.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';
import { VmSandbox } from './vm-sandbox.js';

export { temporaryFolder } from './temporary-folder.js';

/** Opens a folder of skills with a manual clock and a sandbox for tests. */
export function openLibrary(folder: string, options: Partial<LibraryOptions> = {}, clock = new ManualClock()) {
  const loop = new RSILoop({ clock, random: () => 0.5 });
  const files = new FileSkillFolder(folder);
  const sandbox = new VmSandbox();
  const skills = new SkillLibrary(loop, { files, logs: fileLogs(folder), sandbox, ...options });
  onTestFinished(async () => {
    await skills.close();
    await loop.close();
  });
  return { skills, loop, clock, files, sandbox };
}

const FACTS: SkillFacts = { version: 1, status: 'working' };

/** Returns a skill with JavaScript code. */
export function skillOf(
  content: Partial<SkillContent> & { readonly name: string },
  facts: Partial<SkillFacts> = {},
): Skill {
  const whole = { description: `Does ${content.name}.`, body: '', tests: [], ...content };
  return { ...readAgain(whole), ...FACTS, ...facts };
}

export function javascript(code: string): Pick<SkillContent, 'code'> {
  return { code: { language: 'javascript', text: code } };
}

export { TOTAL, TOTALS } from './totals.js';
export const CSV_SCHEMA = {
  type: 'object',
  properties: { csv: { type: 'string' } },
  required: ['csv'],
  additionalProperties: false,
} as const;

export async function put(files: FileSkillFolder, ...skills: readonly Skill[]): Promise<void> {
  const facts = new Facts(files, new ManualClock());
  for (const skill of skills) {
    await files.put(skill.name, skill.files);
    const { version, parent, status, deprecated } = skill;
    await facts.set(skill, { version, parent, status, deprecated });
  }
}
