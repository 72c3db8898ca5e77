import { Option } from 'commander';
import { promptForSkills } from '../skills/prompt.js';
import { serveFolder } from '../skills/serve-skills.js';
import { accessOptions, actionOptions, type SkillSettings } from '../skills/skill-settings.js';
import { checkSkills, workOnSkills } from '../skills/skill-work.js';
import { storeOption, verb } from '../verb.js';

/** The verb `rsi skill`: skills of an agent in a folder. */
export const skillVerb = verb<SkillSettings, readonly string[]>({
  description:
    'Works on a folder of skills: code and instructions for agents, with tests. list, show <name>, tree [name] and memory print what there is. learn <directive> --examples <file> lets the configured model write a skill until its hidden tests pass; directive queues one, and learn alone learns the queue. mutate <name> <change> changes a copy. run <name> --input <json> calls a skill in the sandbox, test runs tests, check verifies files and certificates offline. prove <name> --task <task> proposes a trial. trust offers a skill that is held back, once a person has read it. grant, deny, deprecate, revive, promote and prune decide. serve offers the skills to an agent as tools over MCP, on standard input and output. Without an action, a terminal gets a prompt. Exit code 1 means that something failed its tests or its check.',
  examples: [
    ['skill list', 'the skills of ./.agents/skills'],
    ['skill learn "total a CSV" --examples totals.json', 'a model writes it, hidden tests decide'],
    ['skill run csv-total --input \'{"csv":"a,1"}\'', 'one call in the sandbox'],
    ['skill serve', 'an MCP server, for the settings of an agent'],
    ['skill check', 'are files, tests and certificates intact?'],
  ],
  options: [
    storeOption(),
    new Option('--skills <folder>', 'the folder with the skills').default('./.agents/skills'),
    ...actionOptions(),
    ...accessOptions(),
  ],
  run: async (settings, [action, ...words], config) => {
    if (action === 'check') return checkSkills(words, settings);
    if (action === 'serve') return serveFolder(words, settings, await config());
    const isPerson = process.stdin.isTTY && process.stdout.isTTY && !settings.json;
    if (action === undefined && isPerson) return promptForSkills(settings, await config());
    return workOnSkills(action ?? 'list', words, settings, await config());
  },
});
