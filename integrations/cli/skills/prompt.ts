import { Command } from 'commander';
import { type Json, LoopError } from 'rsi-loop';
import type { Configuration } from '../config/load.js';
import { EXIT, type ExitCode } from '../exit.js';
import { lookAt } from '../terminal/look.js';
import { notice, write } from '../terminal/output.js';
import { table } from '../terminal/page.js';
import { reportingErrors } from '../terminal/report-errors.js';
import { ACTIONS, type Example, parsed, type Questions } from './actions.js';
import { LinePrompt } from './line-prompt.js';
import { actionOptions, type SkillSettings } from './skill-settings.js';
import { checkSkills, runAction, withSkills } from './skill-work.js';
import { splitLine } from './split-line.js';

/** Actions with their effect, as `help` prints them. */
const HELP: readonly (readonly [string, string])[] = [
  ['list', 'the skills, their state and their calls'],
  ['show <name>', 'one skill: when to use it, its tests, its text'],
  ['tree [name]', 'versions and what they come from'],
  ['run <name>', 'calls a skill; asks for the input'],
  ['test [name]', 'runs the tests'],
  ['check [name]', 'files, tests and certificates'],
  ['learn <directive>', 'the model writes a skill; asks for examples'],
  ['learn', 'learns the queued directives'],
  ['directive <text>', 'queues a directive'],
  ['mutate <name> <change>', 'the model changes a copy'],
  ['prove <name> --task <task>', 'proposes a trial'],
  ['grant | deny <name>', 'access to the network or to folders'],
  ['trust <name>', 'offers a skill that is held back'],
  ['deprecate <name> --reason <why>', 'stops offering a skill'],
  ['revive | promote <name>', 'offers it again; replaces it by its candidate'],
  ['prune [--dry]', 'removes what was not used in 90 days'],
  ['memory [file]', 'failures and directives so far'],
  ['exit', 'ends; so does Ctrl-D'],
];

/** Reads actions from a terminal and runs them on one open folder, until the person ends it. */
export function promptForSkills(settings: SkillSettings, config: Configuration): Promise<ExitCode> {
  return withSkills(settings, config, { model: 'if-possible' }, async (skills, loop) => {
    const lines = new LinePrompt(process.stdin, process.stdout, [...Object.keys(ACTIONS), 'check', 'help', 'exit']);
    const ask = questionsOn(lines);
    const act = (line: string, signal: AbortSignal): Promise<ExitCode> | ExitCode => {
      const { action, words, options } = readAction(line);
      const given = { ...options, store: settings.store, skills: settings.skills };
      if (action === undefined) return EXIT.done;
      if (action === 'help') return printHelp();
      if (action === 'serve') throw new LoopError('invalid-input', 'serve needs a process of its own: rsi skill serve');
      if (action === 'check') return checkSkills(words, given);
      return runAction(action, loop, { loop, skills, words, settings: given, signal, ask });
    };
    try {
      await notice(`skills of ${settings.skills}: help lists the actions, Ctrl-D ends`);
      let line = await lines.next(PROMPT);
      while (line !== undefined && !END.test(line)) {
        const given = line;
        await lines.during((signal) => reportingErrors(async () => act(given, signal)));
        line = await lines.next(PROMPT);
      }
      return lines.isInterrupted ? EXIT.interrupted : EXIT.done;
    } finally {
      lines.close();
    }
  });
}

const PROMPT = 'skill> ';
const END = /^\s*(?:exit|quit)\s*$/;

async function printHelp(): Promise<ExitCode> {
  const rows = HELP.map((cells) => ({ cells }));
  await write(
    process.stdout,
    `${table([{ head: 'action' }, { head: 'effect' }], rows, lookAt(process.stdout)).join('\n')}\n`,
  );
  return EXIT.done;
}

interface Line {
  readonly action: string | undefined;
  readonly words: readonly string[];
  readonly options: Partial<SkillSettings>;
}

/** @throws LoopError `invalid-input` for an unknown option and an open quote. */
function readAction(line: string): Line {
  const command = new Command('skill').argument('[action...]').helpOption(false).exitOverride();
  command.configureOutput({ writeErr: () => {} });
  for (const option of actionOptions()) command.addOption(option);
  try {
    command.parse(splitLine(line), { from: 'user' });
  } catch (error) {
    if (LoopError.is(error)) throw error;
    const problem = error instanceof Error ? error.message.replace(/^error: /, '') : String(error);
    throw new LoopError('invalid-input', `${problem}; "help" lists the actions`);
  }
  const [action, ...words] = command.args;
  return { action, words, options: command.opts() };
}

function questionsOn(lines: LinePrompt): Questions {
  const json = async (question: string): Promise<Json | undefined> => {
    const text = await lines.next(question);
    return text === undefined || text.trim() === '' ? undefined : (parsed(text, 'the answer') as Json); // JSON.parse returns JSON
  };
  return {
    input: async () => {
      const input = await json('  input, as JSON: ');
      if (input === undefined) throw new LoopError('invalid-input', 'nothing was called: there is no input');
      return input;
    },
    examples: async () => {
      const examples: Example[] = [];
      while (true) {
        const input = await json(`  example ${examples.length + 1}, input as JSON (empty: no more): `);
        const output = input === undefined ? undefined : await json('    its output: ');
        if (input === undefined || output === undefined) return examples;
        examples.push([input, output]);
      }
    },
  };
}
