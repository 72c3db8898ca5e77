import { readFile, stat } from 'node:fs/promises';
import { Option } from 'commander';
import { describeFix, LoopError } from 'rsi-loop';
import { textsIn } from 'rsi-loop/prompts';
import { forecastWords } from '../../reports/words/sentences.js';
import { loopOptions } from '../config/loop-options.js';
import { EXIT } from '../exit.js';
import { commandsFor } from '../fixes/find-fix.js';

import { whenRebuilt, withLoop } from '../store/open-loop.js';
import { userName } from '../store/user-name.js';
import { nextCommand } from '../terminal/look.js';
import { print, prose } from '../terminal/output.js';
import { plain } from '../terminal/terminal-text.js';
import { jsonOption, storeOption, verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly for?: string;
  readonly task?: string;
  readonly by?: string;
  readonly reason?: string;
  readonly json?: true;
}

/** Files larger than this are not read. Far more than a text may have. */
const MAX_BYTES = 2_000_000;

/** The verb `rsi propose <file>`: proposes a version of a named text, for a trial against the text in force. */
export const propose = verb<Options, string>({
  description:
    'Proposes the content of a file as a version of a named text, such as a system prompt of your program. Once approved, a random part of the tasks gets it. It is kept only if it is proven to help.',
  examples: [
    ['propose prompts/v2.md --for support.system', 'then rsi approve starts its trial'],
    ['propose v2.md --for support.system --task answer', 'if several tasks read the text'],
  ],
  options: [
    storeOption(),
    new Option('--for <name>', 'the name of the text, as your program declares it in prompts'),
    new Option('--task <name>', 'the task whose outcomes decide, if several read the text'),
    new Option('--by <name>', 'author of the version (default: the user of the system)'),
    new Option('--reason <text>', 'why it should help; recorded permanently in the ledger'),
    jsonOption(),
  ],
  run: async ({ store, for: name, task, by = userName(), reason, json }, file, config) =>
    withLoop(
      store,
      'decide',
      async (loop) => {
        await whenRebuilt(loop);
        if (name === undefined)
          throw new LoopError('invalid-input', `${file} is a version of which text? Add --for <name>`);
        const draft = await readDraft(file);
        const known = { by, ...(reason !== undefined && { reason }), ...(task !== undefined && { task }) };
        textsIn(loop);
        const fix = await loop.tryPrompt(name, draft, known);
        const needs = fix.needs === undefined ? '' : `, first ${plain(fix.needs)}`;
        const text = [
          prose(`proposed ${plain(describeFix(loop, fix).title)} as ${fix.id}${needs}`),
          prose(`forecast: ${forecastWords(fix)}`),
          '',
          ...commandsFor(fix, nextCommand(store)).flatMap(([command, does]) => [command, `    ${does}`]),
        ];
        await print(
          { text: text.map((line) => line.trimEnd()).join('\n'), document: { format: 'rsi-try/1', fix } },
          json,
        );
        return EXIT.done;
      },
      loopOptions(await config()),
    ),
});

/** Reads the text of a file. @throws LoopError `invalid-input` for a file that is missing, too large or not UTF-8. */
async function readDraft(file: string): Promise<string> {
  const refuse = (problem: string) => new LoopError('invalid-input', `${file} ${problem}`);
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw refuse('is not a file: name the file with your version of the text');
  if (found.size > MAX_BYTES) throw refuse(`has ${found.size} bytes: a text has at most ${MAX_BYTES}`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch {
    throw refuse('is not UTF-8: save it as UTF-8');
  }
}
