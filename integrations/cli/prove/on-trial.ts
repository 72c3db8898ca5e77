import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Name of a skill's main file, while agents find it, during a study, and once it is removed. */
export const SKILL_FILE = 'SKILL.md';
export const ON_TRIAL = 'SKILL.on-trial.md';
export const REMOVED = 'SKILL.removed.md';

/** Whether a skill is on trial: only its renamed file is there, so agents find it by the hook alone. */
export function isOnTrial(path: string, name: string): boolean {
  return existsSync(join(path, name, ON_TRIAL)) && !existsSync(join(path, name, SKILL_FILE));
}
