import { readFile, stat } from 'node:fs/promises';
import { exportOutcomes, type Json, LoopError, type RSILoop } from 'rsi-loop';
import { recordedExamples, type SkillLibrary } from 'rsi-loop/skills';
import { counted } from '../../reports/words/numbers.js';
import { EXIT, type ExitCode } from '../exit.js';
import { userName } from '../store/user-name.js';
import { lookAt } from '../terminal/look.js';
import { notice, prose, type Report } from '../terminal/output.js';
import { plain, plainJson } from '../terminal/terminal-text.js';
import { listReport, showReport, treeReport } from './render-skills.js';
import type { SkillSettings } from './skill-settings.js';

/** Input and output of a skill. */
export type Example = readonly [Json, Json];

/** Parts that an action needs. */
export interface Work {
  readonly loop: RSILoop;
  readonly skills: SkillLibrary;
  readonly words: readonly string[];
  readonly settings: SkillSettings;
  readonly signal: AbortSignal;
  /** Asks a person for values that the options lack. Default: no one is there to ask. */
  readonly ask?: Questions;
}

/** Questions of an action to a person. */
export interface Questions {
  input(): Promise<Json>;
  examples(): Promise<readonly Example[]>;
}

/** Result of an action. */
export interface Done {
  readonly report: Report;
  readonly code?: ExitCode;
}

const look = () => lookAt(process.stdout);
const said = (document: object, text: string): Report => ({ document, text: prose(plain(text)) });

/** Actions of `rsi skill`, by name. */
export const ACTIONS: Readonly<Record<string, (work: Work) => Promise<Done>>> = {
  list: async ({ skills }) => ({ report: listReport(await skills.list(), await skills.rejected(), look()) }),
  show: async ({ skills, words }) => ({
    report: showReport(await skills.show(oneOf(words, 'the name of a skill')), look()),
  }),
  tree: async ({ skills, words }) => ({ report: treeReport(await skills.tree(words[0])) }),
  learn: async ({ loop, skills, words, settings, signal, ask }) => {
    const { attempts, name } = settings;
    const learned =
      words.length === 0
        ? undefined
        : await skills.learn(words.join(' '), {
            examples: await examplesOf(settings, loop, ask),
            signal,
            ...(attempts !== undefined && { attempts }),
            ...(name !== undefined && { name }),
          });
    const results = learned ? [{ directive: words.join(' '), learned }] : await skills.learnQueued(signal);
    const lines = results.map(({ directive, learned: one }) => {
      const words =
        one.kind === 'working' ? `learned ${one.name} in ${one.attempts} attempts` : `${one.kind}: ${one.reason}`;
      return prose(plain(`${directive}: ${words}`));
    });
    const code = results.every((one) => one.learned.kind === 'working') ? EXIT.done : EXIT.attention;
    return {
      report: { document: { format: 'rsi-skill-learned/1', results }, text: lines.join('') || 'the queue is empty\n' },
      code,
    };
  },
  directive: async ({ loop, skills, words, settings, ask }) => {
    const queued = await skills.queue(oneOf([words.join(' ')], 'a directive'), await examplesOf(settings, loop, ask));
    return {
      report: said(
        { format: 'rsi-skill-directive/1', ...queued },
        `queued: ${queued.directive}. rsi skill learn learns the queue`,
      ),
    };
  },
  run: async ({ skills, words, settings, signal, ask }) => {
    const name = oneOf(words, 'the name of a skill');
    const output = await skills.call(name, await inputOf(settings, ask), { signal });
    return { report: { document: { format: 'rsi-skill-run/1', output }, text: `${plainJson(output)}\n` } };
  },
  test: async ({ skills, words, signal }) => {
    const names =
      words.length > 0 ? words : (await skills.list()).flatMap(({ name, language }) => (language ? [name] : []));
    const results = [];
    for (const name of names) results.push({ name, ...(await skills.test(name, signal)) });
    const lines = results.flatMap(({ name, working, open, hidden, properties, failures }) => [
      `${working ? 'works' : 'fails'}  ${name}: open ${open.passed} of ${open.of}, hidden ${hidden.passed} of ${hidden.of}, from the schema ${properties.passed} of ${properties.of}\n`,
      ...failures.map((one) => prose(`       ${plain(one.problem)}: ${plain(JSON.stringify(one.input))}`)),
    ]);
    const code = results.every(({ working }) => working) ? EXIT.done : EXIT.attention;
    return {
      report: { document: { format: 'rsi-skill-tests/1', results }, text: lines.join('') || 'no skills with code\n' },
      code,
    };
  },
  mutate: async ({ skills, words: [name, ...directive], signal }) => {
    const result = await skills.mutate(
      oneOf(name === undefined ? [] : [name], 'the name of a skill'),
      oneOf([directive.join(' ')], 'what to change'),
      signal,
    );
    const words =
      result.kind === 'working' ? `${name}: version ${result.hash.slice(0, 12)} works` : `${name}: ${result.reason}`;
    return {
      report: said({ format: 'rsi-skill-mutated/1', ...result }, words),
      code: result.kind === 'working' ? EXIT.done : EXIT.attention,
    };
  },
  prune: async ({ skills, settings }) => {
    const names = await skills.prune({ dry: settings.dry === true });
    const verb = settings.dry ? 'would be removed' : 'were removed; rsi skill revive restores them';
    return {
      report: said(
        { format: 'rsi-skill-pruned/1', names, dry: settings.dry === true },
        names.length === 0 ? 'nothing to remove' : `${names.join(', ')} ${verb}`,
      ),
    };
  },
  memory: async ({ skills, words: [file] }) => {
    if (file !== undefined) {
      const added = await skills.importMemory(await readText(file));
      return {
        report: said(
          { format: 'rsi-skill-memory/1', added },
          `added ${added.failures} failures and ${added.directives} directives`,
        ),
      };
    }
    const memory = await skills.memory();
    return { report: { document: { format: 'rsi-skill-memory/1', memory }, text: `${plainJson(memory)}\n` } };
  },
  prove: async ({ skills, words, settings }) => {
    if (settings.task === undefined)
      throw new LoopError('invalid-input', 'add --task <name>: the task whose outcomes decide');
    const fix = await skills.prove(oneOf(words, 'the name of a skill'), {
      ...decisionOf(settings),
      task: settings.task,
    });
    return {
      report: said(
        { format: 'rsi-skill-proof/1', fix },
        `proposed as ${fix.id}: rsi approve ${fix.id} starts its trial`,
      ),
    };
  },
  grant: decision('granted', (skills, name, settings) => skills.grant(name, decisionOf(settings))),
  deny: decision('denied', (skills, name, settings) => skills.deny(name, decisionOf(settings))),
  trust: decision('trusted', (skills, name, settings) => skills.trust(name, decisionOf(settings))),
  promote: decision('promoted', (skills, name) => skills.promote(name)),
  revive: decision('revived', (skills, name) => skills.revive(name)),
  deprecate: decision('deprecated', (skills, name, { reason = '' }) => skills.deprecate(name, reason)),
};

function decision(
  verb: string,
  decide: (skills: SkillLibrary, name: string, settings: SkillSettings) => Promise<void>,
) {
  return async ({ skills, words, settings }: Work): Promise<Done> => {
    const name = oneOf(words, 'the name of a skill');
    await decide(skills, name, settings);
    return { report: said({ format: 'rsi-skill-decided/1', name, decision: verb }, `${name} is ${verb}`) };
  };
}

function decisionOf({ by = userName(), reason }: SkillSettings): { readonly by: string; readonly reason?: string } {
  return { by, ...(reason !== undefined && { reason }) };
}

function oneOf([word = '']: readonly string[], wanted: string): string {
  if (word.trim() === '') throw new LoopError('invalid-input', `${wanted} is missing`);
  return word;
}

async function inputOf({ input }: SkillSettings, ask: Questions | undefined): Promise<Json> {
  if (input !== undefined) return parsed(input, '--input') as Json; // JSON.parse returns JSON
  if (!ask) throw new LoopError('invalid-input', 'add --input <json>: the input of the skill');
  return ask.input();
}

async function examplesOf(
  { examples: file, recorded, store }: SkillSettings,
  loop: RSILoop,
  ask: Questions | undefined,
): Promise<readonly Example[]> {
  if (recorded !== undefined) return examplesOfCalls(recorded, store, loop);
  if (file === undefined) {
    if (!ask)
      throw new LoopError(
        'invalid-input',
        'add --examples <file>, a JSON list of [input, output] pairs, or --recorded <tool>',
      );
    return ask.examples();
  }
  const value = parsed(await readText(file), file);
  const arePairs = Array.isArray(value) && value.every((one) => Array.isArray(one) && one.length === 2);
  if (!arePairs) throw new LoopError('invalid-input', `${file} is not a list of pairs: write [[input, output], ...]`);
  return value as readonly Example[]; // checked above
}

/** @throws LoopError `invalid-input` if no recorded call of the tool is an example. */
async function examplesOfCalls(tool: string, store: string, loop: RSILoop): Promise<readonly Example[]> {
  const { examples, skipped } = await recordedExamples(exportOutcomes(loop), tool);
  const { bare, shortened, conflicting } = skipped;
  const left = `${bare} without content, ${shortened} shortened or redacted, ${conflicting} with different outputs for one input`;
  if (examples.length === 0)
    throw new LoopError(
      'invalid-input',
      `no recorded call of ${tool} in ${store} is an example (${left}): record calls with tools(loop, …, { content: true })`,
    );
  await notice(`${counted(examples.length, 'example')} from recorded calls of ${tool}; left out: ${left}`);
  return examples;
}

/** Parses JSON. @throws LoopError `invalid-input` naming `from`. */
export function parsed(text: string, from: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LoopError('invalid-input', `${from} is not JSON`, { cause: error });
  }
}

const MAX_BYTES = 4_000_000;

async function readText(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new LoopError('invalid-input', `${file} is not a file`);
  if (found.size > MAX_BYTES)
    throw new LoopError('invalid-input', `${file} has ${found.size} bytes, more than ${MAX_BYTES}`);
  return readFile(file, 'utf8');
}
