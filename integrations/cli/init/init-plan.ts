import { relative, sep } from 'node:path';
import { LoopError } from 'rsi-loop';
import { claudeChange, isTemporary, TEMPORARY } from '../install/claude.js';
import { ignoreChange } from '../install/git-ignore.js';
import { isSystemError, whyWords } from '../terminal/system-error.js';
import { agentSteps } from './agent-files.js';
import type { FileChange, Places } from './changes.js';
import type { Found, Transcripts } from './detect.js';
import { mustBeInside, mustBeWritable, readText } from './write-file.js';

/** Steps of `rsi init`, and what it leaves to the user. */
export interface Plan {
  readonly changes: readonly FileChange[];
  /** Transcripts to read for the first report. */
  readonly transcripts: readonly Transcripts[];
  /** Sentences on files that cannot be changed. */
  readonly blocked: readonly string[];
  /** Sentences on what is already done. */
  readonly done: readonly string[];
  readonly notes: readonly string[];
}

export interface PlanOptions extends Places {
  readonly found: Found;
  /** Configuration file in force, if there is one. */
  readonly config?: string;
  /** Path of the running command. */
  readonly command: string;
}

/** Plans the attachment of a loop to a project. Writes nothing. */
export async function makePlan(options: PlanOptions): Promise<Plan> {
  const { found } = options;
  const agents = agentSteps(found.agents, options, options.command).map(
    (step): Step =>
      async () =>
        step(),
  );
  const steps = [configStep, hooksStep, ...agents, ignoreStep];
  const results = await Promise.all(steps.map((step) => tried(step, options)));
  const changes = results.flatMap(({ change }) => change ?? []);
  const notes = found.manifest === 'broken' ? [BROKEN_MANIFEST] : [];
  const shared = changes
    .filter(({ path }) => HOLDS_PATH.test(path))
    .map(({ path }) => inProject(options.project, path));
  if (shared.length > 0) notes.push(`do not commit ${shared.join(', ')}: the path of rsi is that of this machine`);
  const callsHere = shared.length > 0 || changes.some(({ path }) => path.endsWith('settings.local.json'));
  return {
    changes,
    blocked: results.flatMap(({ blocked }) => blocked ?? []),
    done: results.flatMap(({ done }) => done ?? []),
    notes: callsHere && isTemporary(options.command) ? [...notes, TEMPORARY] : notes,
    transcripts: transcriptsOf(found),
  };
}

/** Files of agents that call the command by its path, and that a team may share. */
const HOLDS_PATH = /[\\/](?:\.mcp\.json|\.codex[\\/](?:hooks\.json|config\.toml)|\.cursor[\\/](?:hooks|mcp)\.json)$/;
const BROKEN_MANIFEST =
  'package.json is not valid JSON, so its libraries are not known: correct it and run rsi init again';

interface StepResult {
  readonly change?: FileChange;
  readonly done?: string;
  readonly blocked?: string;
}

async function tried(step: Step, options: PlanOptions): Promise<StepResult> {
  try {
    const result = await step(options);
    if (typeof result === 'string') return { done: result };
    if (result) {
      mustBeInside(options.project, result.path);
      mustBeWritable(result.path);
    }
    return result ? { change: result } : {};
  } catch (error) {
    if (isSystemError(error)) return { blocked: `${error.path}: ${whyWords(error)}` };
    if (LoopError.is(error)) return { blocked: error.message };
    throw error;
  }
}

/** Prefers the sessions of this project to those of all projects. */
function transcriptsOf({ agents }: Found): readonly Transcripts[] {
  const all = agents.flatMap(({ transcripts }) => transcripts ?? []);
  const own = all.filter(({ ofProject }) => ofProject);
  return own.length > 0 ? own : all;
}

type Step = (options: PlanOptions) => Promise<FileChange | string | undefined>;

const configStep: Step = async ({ project, store, config, found }) => {
  if (config !== undefined) return `${inProject(project, config)} is there`;
  const isTyped = found.readsTypeScript;
  const path = `${project}${sep}rsi.config.${isTyped ? 'ts' : 'mjs'}`;
  readText(path);
  const lines = [`  store: ${quoted(inProject(project, store))},`, ...rulesLines(found)];
  return { path, after: isTyped ? typedConfig(lines) : plainConfig(lines), why: 'settings of rsi, as their defaults' };
};

/** Quotes a text for a program, in single quotes if it holds none. */
function quoted(text: string): string {
  const json = JSON.stringify(text);
  return /['\\]/.test(json) ? json : json.replaceAll('"', "'");
}

/** Returns the setting that writes rules into files of the agent, as a comment: only the user can turn it on. */
function rulesLines({ ruleFiles }: Found): readonly string[] {
  const [first] = ruleFiles;
  if (first === undefined) return [];
  const isClaude = first === 'CLAUDE.md';
  const files = isClaude ? ", ruleFiles: { AGENTS: 'CLAUDE.md' }" : '';
  return [`  // loop: { workspace: '.'${files} }, // writes rules that you approved into ${first}`];
}

function typedConfig(lines: readonly string[]): string {
  const head = "import type { RsiConfig } from 'rsi-loop/config';";
  return [head, '', 'export default {', ...lines, '} satisfies RsiConfig;', ''].join('\n');
}

function plainConfig(lines: readonly string[]): string {
  return ["/** @type {import('rsi-loop/config').RsiConfig} */", 'export default {', ...lines, '};', ''].join('\n');
}

const hooksStep: Step = async ({ project, store, command, found }) => {
  if (found.agents.every(({ name }) => name !== 'claude')) return undefined;
  const change = await claudeChange({ scope: 'local', project, command, store });
  if (change.after === undefined) return `${inProject(project, change.path)} calls rsi`;
  const { path, before, after, events } = change;
  readText(path);
  const why = `Claude Code reports to the loop at ${events.length} events`;
  return { path, after, why, ...(before !== undefined && { before }) };
};

const ignoreStep: Step = async ({ project, store }) => {
  const change = await ignoreChange(project, store);
  if (!change) return undefined;
  readText(change.path);
  const { path, before, after, line } = change;
  return { path, after, why: `${line}: records are not committed`, ...(before !== undefined && { before }) };
};

/** Returns a path as the project's files name it: `./rsi_data`. */
function inProject(project: string, path: string): string {
  const short = relative(project, path).split(sep).join('/');
  return short.startsWith('..') ? path : `./${short}`;
}
