import { onTestFinished } from 'vitest';
import { RSILoop } from '../../src/loop.js';
import { FileSkillFolder } from '../../src/node/skills/file-skill-folder.js';
import { fileLogs } from '../../src/skills/file-logs.js';
import { SkillLibrary } from '../../src/skills/library.js';
import type { LibraryOptions } from '../../src/skills/library-options.js';
import type { Skill, SkillContent, SkillRecord } from '../../src/skills/skill.js';
import { stamped, writeSkill } from '../../src/skills/skill-files.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
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

const RECORD: SkillRecord = { version: 1, status: 'working', otherFields: '', otherMetadata: {} };

/** Returns a skill with JavaScript code. */
export function skillOf(
  content: Partial<SkillContent> & { readonly name: string },
  record: Partial<SkillRecord> = {},
): Skill {
  const whole = { description: `Does ${content.name}.`, body: '', tests: [], references: {}, ...content };
  return stamped(whole, { ...RECORD, ...record });
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
  for (const skill of skills) await files.put(skill.name, writeSkill(skill));
}
