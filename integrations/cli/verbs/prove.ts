import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import { LoopError } from 'rsi-loop';
import { EXIT } from '../exit.js';
import { ACTIONS, type Action, type Actions, FileActions, SkillActions } from '../prove/actions.js';
import { NamedFile } from '../prove/change-file.js';
import { isHookInstalled } from '../prove/find-hook.js';
import { ON_TRIAL, REMOVED, SKILL_FILE } from '../prove/on-trial.js';
import { COMPARED, canCompare } from '../prove/outcomes.js';
import { findProgramStudy } from '../prove/program-study.js';
import { renderPlan, renderStudy } from '../prove/render-prove.js';
import { SkillSteps } from '../prove/skill-steps.js';
import { SkillsFolder } from '../prove/skill-units.js';
import { FileSteps, type StartOptions } from '../prove/steps.js';
import { requireOwnData } from '../store/check-folder.js';
import { folderOf } from '../store/folder-of.js';
import { hideFromGit } from '../store/own-data.js';
import { lookAt } from '../terminal/look.js';
import { print, prose, type Report } from '../terminal/output.js';
import { plain } from '../terminal/terminal-text.js';
import { jsonOption, numberOption, storeOption, verb } from '../verb.js';

interface Options extends Partial<Record<Action, true>>, StartOptions {
  readonly store: string;
  readonly agent: string;
  readonly json?: true;
}

/** The verb `rsi prove <file>`: tries which lines of an agent's file, or which skills, are worth their tokens. */
export const proveVerb = verb<Options, readonly string[]>({
  description:
    'Tries which lines of AGENTS.md, CLAUDE.md and other Markdown files help, and which skills of a folder, all at the same time. With --start, the lines move into the folder of the loop, or the skills are renamed; a hook gives each session a random part of them. The report names what lowers failures, what raises them, and how many sessions the rest needs. Only --start, --stop, --apply and --undo change files. The name of a study that a program runs shows its result.',
  examples: [
    ['prove CLAUDE.md', 'what would be tried, or the result so far'],
    ['prove CLAUDE.md --start', 'begin; --stop puts every byte back'],
    ['prove CLAUDE.md .claude/skills --start', 'all at the same time'],
    ['prove .claude/rules', 'the Markdown files of a folder'],
    ['prove CLAUDE.md --apply', 'remove what harms; --undo puts it back'],
  ],
  options: [
    storeOption(),
    new Option('--start', 'move the lines out of the file, or rename the skills, and begin'),
    new Option('--stop', 'put everything back, and end'),
    new Option('--apply', 'end, and remove what harms'),
    new Option('--undo', 'put back what --apply removed'),
    numberOption('--share <share>', 'the part of the sessions that goes without a line', {
      min: 0.05,
      max: 0.5,
      decimals: true,
    }).default(0.5),
    new Option('--by <part>', 'what is left out of a file as one').choices(['line', 'section']).default('line'),
    new Option(
      '--counts <outcome>',
      'what is compared: turns or tool calls that fail, claims that were not seen, interrupts, or tokens or time of a turn',
    )
      .choices(COMPARED)
      .default('turns'),
    errorRateOption(),
    new Option('--with-safety', 'also try what forbids something or names a danger'),
    new Option('--agent <agent>', 'the agent whose hook gives the lines to sessions')
      .choices(['claude', 'codex', 'gemini', 'cursor'])
      .default('claude'),
    jsonOption(),
  ],
  run: async (options, given) => {
    const chosen = ACTIONS.filter((action) => options[action]);
    if (chosen.length > 1)
      throw new LoopError('invalid-input', `give one of ${chosen.map((action) => `--${action}`).join(', ')}`);
    const store = folderOf(options.store, 'prove');
    // The hook gives texts of this folder to an agent.
    requireOwnData(store);
    const action = chosen[0];
    await print(await reportOfAll(given, { store, action, options }), options.json);
    return EXIT.done;
  },
});

interface Asked {
  /** Folder of the loop. */
  readonly store: string;
  readonly action: Action | undefined;
  readonly options: Options;
}

function errorRateOption(): Option {
  const about =
    'limit the errors of each single line, such as 0.1 for lines of your own: results come sooner, and more are false (default: 5 % of the named lines are false)';
  return numberOption('--error-rate <rate>', about, { min: 0.01, max: 0.2, decimals: true });
}

/** Reports on each path separately. Of several, those with nothing to try are left out of --start. */
async function reportOfAll(given: readonly string[], asked: Asked): Promise<Report> {
  const paths = given.flatMap((path) => markdownIn(path) ?? [path]);
  const [only, ...more] = paths;
  if (only === undefined) throw new LoopError('invalid-input', `${given.join(', ')} holds no Markdown file`);
  if (more.length === 0) return reportOf(only, asked);
  const reports: Report[] = [];
  for (const path of paths) {
    try {
      reports.push(await reportOf(path, asked));
    } catch (error) {
      if (!LoopError.is(error) || error.code !== 'invalid-input') throw error;
      reports.push({ document: { file: path, error: error.message }, text: prose(plain(error.message)) });
    }
  }
  return {
    document: { format: 'rsi-prove/1', studies: reports.map(({ document }) => document) },
    text: reports.map(({ text }) => text).join('\n'),
  };
}

/** Returns the Markdown files of a folder that holds no skills, such as `.claude/rules`; undefined for other paths. */
function markdownIn(path: string): readonly string[] | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const names = readdirSync(path, { withFileTypes: true });
  const isSkill = (name: string) => [SKILL_FILE, ON_TRIAL, REMOVED].some((file) => existsSync(join(path, name, file)));
  if (names.some((entry) => entry.isDirectory() && isSkill(entry.name))) return undefined;
  const files = names
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map(({ name }) => join(path, name));
  return files.length > 0 ? files.sort() : undefined;
}

async function reportOf(given: string, asked: Asked): Promise<Report> {
  const program = existsSync(given) ? undefined : await programReport(given, asked);
  if (program) return program;
  if (!existsSync(given) && !given.includes('.md'))
    throw new LoopError(
      'invalid-input',
      `there is no file, folder or study called ${given}: give a Markdown file, a folder of skills, or the name of a study in ${asked.options.store}`,
    );
  const actions = actionsFor(given, asked.store);
  return asked.action ? act(asked.action, actions, asked) : report(actions, asked);
}

function actionsFor(given: string, store: string): Actions {
  if (!statSync(given, { throwIfNoEntry: false })?.isDirectory()) {
    const file = new NamedFile(given);
    return new FileActions(file, new FileSteps(file, store));
  }
  const folder = new SkillsFolder(given);
  return new SkillActions(folder, new SkillSteps(folder, store));
}

/** Returns the result of a study that a program runs; `undefined` if no study has this name. */
async function programReport(given: string, { store, action, options }: Asked): Promise<Report | undefined> {
  const found = await findProgramStudy(store, given);
  if (!found) return undefined;
  const { name, kind, report } = found;
  if (action)
    throw new LoopError(
      'illegal-step',
      `a program runs the study ${name}, and leaves out what harms: end it there, instead of with --${action}`,
    );
  const part = kind === 'prompt' ? 'line' : 'part';
  return {
    document: { format: 'rsi-prove/1', state: 'running', name, counts: 'tasks', ...report },
    text: renderStudy({ name, part, kept: 0, counts: 'tasks', report }, lookAt(process.stdout, options.store)),
  };
}

/** Returns the result of the newest study, or without one what would be tried. */
async function report(actions: Actions, { options }: Asked): Promise<Report> {
  const look = lookAt(process.stdout, options.store);
  const { shown: name, part } = actions;
  const found = await actions.find();
  if (!found) {
    const lines = await actions.plan(options);
    return {
      document: { format: 'rsi-prove/1', state: 'none', file: name, lines },
      text: renderPlan({ name, part }, lines, look),
    };
  }
  const { state, counts, kept, report: result } = found;
  return {
    document: { format: 'rsi-prove/1', state, file: name, counts, kept, ...result },
    text: renderStudy({ name, part, state, kept: kept.length, counts, report: result }, look),
  };
}

async function act(action: Action, actions: Actions, { store, options }: Asked): Promise<Report> {
  if (action === 'start') {
    // Problems of the file itself come first.
    if (!(await actions.find())) await actions.plan(options);
    requireHook(store, options);
    requireTranscripts(options);
  }
  const { text, about } = await actions.act(action, options, options.store);
  if (action === 'start') hideFromGit(store);
  return { document: { format: 'rsi-prove/1', action, file: actions.shown, ...about }, text: prose(plain(text)) };
}

function requireTranscripts({ agent, counts }: Options): void {
  if (canCompare(agent, counts)) return;
  throw new LoopError(
    'invalid-input',
    `${counts} are read from the transcript of a session, and those of ${agent} are not read: use --counts turns or tools`,
  );
}

function requireHook(store: string, { agent, store: shown }: Options): void {
  if (agent !== 'claude' || isHookInstalled(store, process.cwd())) return;
  throw new LoopError(
    'illegal-step',
    `no hook of Claude Code gives texts from ${shown} to sessions: run "rsi install claude" first, or name its folder with --store`,
  );
}
