import { type Command, Option } from 'commander';
import { LoopError } from 'rsi-loop';
import { bashScript } from '../completion/bash.js';
import { fishScript } from '../completion/fish.js';
import { type CompletedVerb, completedVerbs, STORED_LISTS, type StoredList } from '../completion/words.js';
import { zshScript } from '../completion/zsh.js';
import { EXIT } from '../exit.js';
import { whenRebuilt, withLoop } from '../store/open-loop.js';
import { write } from '../terminal/output.js';
import { storeOption, type Verb, verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly list?: StoredList;
}

const SHELLS: Readonly<Record<string, (verbs: readonly CompletedVerb[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The verb `rsi completion <shell>`: prints the script for a shell. */
export const completion: Verb = (command, done, width) => {
  const { parent } = command;
  verb<Options, string | undefined>({
    description:
      'Prints a script with which a shell completes verbs, options, files, and the ids of fixes and patterns in the store. Load it when the shell starts.',
    examples: [
      ['completion bash', 'in ~/.bashrc: eval "$(rsi completion bash)"'],
      ['completion zsh', 'in ~/.zshrc: eval "$(rsi completion zsh)"'],
      ['completion fish', 'in config.fish: rsi completion fish | source'],
    ],
    options: [
      storeOption(),
      new Option('--list <what>', 'print ids in the store instead, as the scripts need them').choices(STORED_LISTS),
    ],
    run: async ({ store, list }, shell = '') => {
      await write(process.stdout, list === undefined ? scriptOf(shell, parent) : await stored(store, list));
      return EXIT.done;
    },
  })(command, done, width);
};

function scriptOf(shell: string, program: Command | null): string {
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (script && program) return script(completedVerbs(program));
  const known = Object.keys(SHELLS).join(', ');
  throw new LoopError('invalid-input', shell === '' ? `name the shell: ${known}` : `no script for ${shell}: ${known}`);
}

/** Returns ids and names of the store, one per line. Only those that need no quotes, because a shell reads them. */
function stored(folder: string, list: StoredList): Promise<string> {
  return withLoop(folder, 'read', async (loop) => {
    if (list !== 'fixes') await whenRebuilt(loop);
    const found = {
      fixes: () => loop.fixes().map(({ id }) => id),
      patterns: () => loop.patterns().map(({ id }) => id),
      tasks: () => loop.patterns().map(({ task }) => task),
    }[list]();
    return [...new Set(found)]
      .filter((word) => /^[\w.:-]+$/.test(word))
      .map((word) => `${word}\n`)
      .join('');
  });
}
