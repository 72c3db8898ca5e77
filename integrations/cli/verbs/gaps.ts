import { Option } from 'commander';
import { LoopError } from 'rsi-loop';
import { EXIT } from '../exit.js';
import { findGaps, type Gap } from '../gaps/find-gaps.js';
import { readProject } from '../gaps/read-project.js';
import { renderGaps } from '../gaps/render-gaps.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { print } from '../terminal/output.js';
import { jsonOption, numberOption, verb } from '../verb.js';

interface Options {
  readonly project: string;
  readonly limit: number;
  readonly model?: true;
  readonly json?: true;
}

/** The verb `rsi gaps`: lists what other projects on this disk offer and this one does not. */
export const gaps = verb<Options, readonly string[]>({
  description:
    'Reads the manifests, exports and documents of your project and of others on this disk, and lists what they have and you do not, as a task list in Markdown with file and line. It runs no code of theirs and uses no network. With --model, a model server of yours words the first 20.',
  examples: [
    ['gaps ../other', 'what ../other has and the project here does not'],
    ['gaps ../a ../b --json', 'all of them, for a program'],
  ],
  options: [
    new Option('--project <folder>', 'the folder of your project').default('.'),
    numberOption('--limit <count>', 'how many to list of each kind', { min: 1, max: 10_000 }).default(15),
    new Option('--model', 'let a running vLLM or Ollama server word them'),
    jsonOption(),
  ],
  run: async ({ project, limit, model, json }, folders) => {
    const own = readProject(project);
    const others = folders.map((folder) => readProject(folder));
    const same = others.find(({ folder }) => folder === own.folder);
    if (same) throw new LoopError('invalid-input', `${same.folder} is your own project: name others, or --project`);
    const used = others.find(({ name }) => own.dependencies.includes(name));
    if (used) {
      const why = `${used.name} is a dependency of ${own.name}: your project has what it offers already`;
      throw new LoopError('invalid-input', `${why}. Name projects beside it`);
    }
    const found = findGaps(own, others);
    const { signal, release } = onInterrupt();
    const { words, wordedBy } = model ? await worded(found, signal) : { words: new Map<string, string>() };
    release();
    if (signal.aborted) return EXIT.interrupted;
    const gapsOf = found.map((gap) => ({ ...gap, ...(words.has(gap.id) && { sentence: words.get(gap.id) }) }));
    const projects = [own, ...others].map(({ name, folder, features, skipped }) => {
      return { name, folder, features: features.length, skipped };
    });
    const document = { format: 'rsi-gaps/1', projects, gaps: gapsOf, ...(wordedBy !== undefined && { wordedBy }) };
    await print({ document, text: renderGaps({ own, others, gaps: found, limit, words, wordedBy }) }, json);
    return EXIT.done;
  },
});

async function worded(
  found: readonly Gap[],
  signal: AbortSignal,
): Promise<{ readonly words: ReadonlyMap<string, string>; readonly wordedBy?: string }> {
  const [{ selectModel }, { wordGaps }] = await Promise.all([
    import('rsi-loop/models'),
    import('../gaps/word-gaps.js'),
  ]);
  const { model, why } = await selectModel();
  if (!model) throw new LoopError('model-down', why.join('; '));
  try {
    return { words: await wordGaps(model, found, signal), wordedBy: model.name };
  } catch (error) {
    if (signal.aborted) return { words: new Map() };
    throw error;
  }
}
