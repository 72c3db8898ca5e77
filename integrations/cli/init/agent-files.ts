import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from 'rsi-loop/node';
import { addHooks } from '../install/claude-settings.js';
import { inFile } from '../install/in-file.js';
import { addEntries } from '../install/settings-entries.js';
import type { FileChange, Places } from './changes.js';
import type { AgentFound } from './detect.js';
import { readText } from './write-file.js';

/** File of an agent that `rsi init` changes, and how. */
interface AgentFile {
  readonly path: readonly string[];
  readonly why: string;
  /** Returns the new text of the file, or the same if nothing is missing. */
  readonly change: (text: string | undefined, about: Command) => string;
}

interface Command {
  /** Path of the running command. */
  readonly command: string;
  readonly store: string;
}

const SERVER = 'rsi-loop';
const CODEX_EVENTS = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'SubagentStop', 'PreCompact'] as const;
const CURSOR_EVENTS = [
  'sessionStart',
  'beforeSubmitPrompt',
  'postToolUse',
  'postToolUseFailure',
  'stop',
  'subagentStop',
  'preCompact',
  'sessionEnd',
] as const;

/** Files by agent. The hooks of Claude Code have a step of their own, because their settings have three places. */
const FILES: Readonly<Partial<Record<AgentFound['name'], readonly AgentFile[]>>> = {
  claude: [
    { path: ['.mcp.json'], why: 'Claude Code can read the loop over MCP', change: addServer },
    skillIn('.claude', 'Claude Code'),
  ],
  codex: [
    {
      path: ['.codex', 'hooks.json'],
      why: `Codex reports to the loop at ${CODEX_EVENTS.length} events`,
      change: (text = '{}', about) => addHooks(text, hookOf('codex', about), CODEX_EVENTS).text,
    },
    { path: ['.codex', 'config.toml'], why: 'Codex can read the loop over MCP', change: addTomlServer },
    skillIn('.agents', 'Codex'),
  ],
  cursor: [
    {
      path: ['.cursor', 'hooks.json'],
      why: `Cursor reports to the loop at ${CURSOR_EVENTS.length} events`,
      change: (text = '{ "version": 1 }', about) => addCursorHooks(text, hookOf('cursor', about)),
    },
    { path: ['.cursor', 'mcp.json'], why: 'Cursor can read the loop over MCP', change: addServer },
    skillIn('.cursor', 'Cursor'),
  ],
};

/** Returns the file of the skill for one agent. A file that is there is left alone: the user may have changed its words. */
function skillIn(folder: string, title: string): AgentFile {
  return {
    path: [folder, 'skills', 'rsi', 'SKILL.md'],
    why: `${title} learns to read the loop and to judge a fix`,
    change: (text) =>
      text ?? readFileSync(packageFolder('integrations', 'plugin', 'skills', 'rsi', 'SKILL.md'), 'utf8'),
  };
}

/** Returns the files to change for the agents that were found, each as a step that can fail without the others. */
export function agentSteps(
  agents: readonly AgentFound[],
  { project, store }: Places,
  command: string,
): readonly (() => FileChange | undefined)[] {
  return agents.flatMap(({ name }) =>
    (FILES[name] ?? []).map((file) => () => {
      const path = join(project, ...file.path);
      const before = readText(path);
      const after = inFile(path, () => file.change(before, { command, store }));
      if (after === before) return undefined;
      return {
        path,
        after: before === undefined ? `${after.trimEnd()}\n` : after,
        why: file.why,
        ...(before !== undefined && { before }),
      };
    }),
  );
}

function hookOf(agent: string, { command, store }: Command): string {
  return `node ${quoted(command)} hook ${agent} --store ${quoted(store)}`;
}

function quoted(path: string): string {
  return `"${path.replace(/[\\"$`]/g, '\\$&')}"`;
}

function addServer(text = '{}', about: Command): string {
  return addEntries(text, [{ path: ['mcpServers', SERVER], value: serverOf(about) }]);
}

function serverOf({ command, store }: Command): object {
  return { command: 'node', args: [command, 'mcp', '--store', store] };
}

function addCursorHooks(text: string, command: string): string {
  return addEntries(
    text,
    CURSOR_EVENTS.map((event) => ({ path: ['hooks', event], item: { command, timeout: 5 } })),
  );
}

/** Adds a table at the end: a file in TOML may define each table once. */
function addTomlServer(text: string | undefined, { command, store }: Command): string {
  if (text !== undefined && new RegExp(`^\\s*\\[mcp_servers\\.(?:"${SERVER}"|${SERVER})\\]`, 'm').test(text))
    return text;
  const args = [command, 'mcp', '--store', store].map((word) => JSON.stringify(word)).join(', ');
  const table = `[mcp_servers.${SERVER}]\ncommand = "node"\nargs = [${args}]`;
  if (text === undefined) return table;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}\n${table}\n`;
}
