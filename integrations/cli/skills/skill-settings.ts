import { Option } from 'commander';
import type { SandboxPermissions } from 'rsi-loop/sandbox';
import { jsonOption, numberOption } from '../verb.js';

/** Options of `rsi skill`, without those that name a place. */
export interface SkillSettings {
  readonly store: string;
  readonly skills: string;
  readonly examples?: string;
  readonly recorded?: string;
  readonly input?: string;
  readonly name?: string;
  readonly task?: string;
  readonly attempts?: number;
  readonly by?: string;
  readonly reason?: string;
  readonly allowHost?: readonly string[];
  readonly allowRead?: readonly string[];
  readonly allowWrite?: readonly string[];
  readonly dry?: true;
  readonly json?: true;
}

/** Creates the options of an action. Those that name a place hold for a whole prompt, so they are not among them. */
export function actionOptions(): readonly Option[] {
  return [
    new Option('--examples <file>', 'learn, directive: JSON list of [input, output]'),
    new Option('--recorded <tool>', 'learn, directive: examples are the recorded calls of this tool'),
    new Option('--input <json>', 'run: the input'),
    new Option('--name <name>', 'learn: name of the skill, if the model should not choose'),
    new Option('--task <name>', 'prove: the task whose outcomes decide'),
    numberOption('--attempts <number>', 'learn: drafts at most', { min: 1, max: 12 }),
    new Option('--by <name>', 'who decides (default: the user of the system)'),
    new Option('--reason <text>', 'why; needed to deprecate'),
    new Option('--dry', 'prune: only show what would be removed'),
    jsonOption(),
  ];
}

/** Creates the options for access: what skills that a person granted it may use at most. */
export function accessOptions(): readonly Option[] {
  return [
    new Option('--allow-host <host...>', 'granted skills may reach it, such as api.example.com'),
    new Option('--allow-read <folder...>', 'granted skills may read it'),
    new Option('--allow-write <folder...>', 'granted skills may write into it'),
  ];
}

/** Returns the access that skills may get at most. */
export function accessOf({ allowHost, allowRead, allowWrite }: SkillSettings): SandboxPermissions {
  return {
    ...(allowHost && { hosts: allowHost }),
    ...(allowRead && { read: allowRead }),
    ...(allowWrite && { write: allowWrite }),
  };
}
