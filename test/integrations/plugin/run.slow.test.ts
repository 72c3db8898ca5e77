import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand } from '../cli/build-command.js';

/** A package as npm installs it, a home, and a project in which an agent works. */
const folder = mkdtempSync(join(tmpdir(), 'rsi-plugin-'));
const home = join(folder, 'home');
const project = join(folder, 'project');
const plugin = join(folder, 'rsi-loop', 'integrations', 'plugin');
/** The plugin without the package around it, as from a git repository. */
const alone = join(folder, 'alone');

beforeAll(async () => {
  const source = resolve(import.meta.dirname, '../../../integrations/plugin');
  for (const path of [plugin, alone]) cpSync(source, path, { recursive: true });
  for (const path of [home, project, join(folder, 'rsi-loop', 'dist')]) mkdirSync(path, { recursive: true });
  writeFileSync(join(folder, 'rsi-loop', 'package.json'), '{"name":"rsi-loop","version":"0.0.0","type":"module"}');
  cpSync(await buildCommand(folder), join(folder, 'rsi-loop', 'dist', 'cli.js'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Handler {
  readonly command: string;
}

/** Runs the hooks of one event as the agent does: by a shell, with the folder of the plugin in a variable. */
function fire(agent: { hooks: string; root: string }, event: string, body: object, path = plugin, env = {}): string[] {
  const { hooks } = JSON.parse(readFileSync(join(path, agent.hooks), 'utf8'));
  const handlers: Handler[] = hooks[event].flatMap((group: { hooks?: Handler[] } & Handler) => group.hooks ?? [group]);
  return handlers.map(({ command }) =>
    execFileSync('sh', ['-c', command], {
      cwd: project,
      env: { ...process.env, HOME: home, USERPROFILE: home, [agent.root]: path, ...env },
      input: JSON.stringify({ hook_event_name: event, session_id: 's-1', conversation_id: 's-1', ...body }),
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    }),
  );
}

const recorded = () =>
  readdirSync(join(home, '.rsi_data', 'hooks', 'inbox'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(join(home, '.rsi_data', 'hooks', 'inbox', name), 'utf8'))
    .join('\n');

describe('the hooks of the plugin', () => {
  it.for([
    { agent: 'claude', root: 'CLAUDE_PLUGIN_ROOT', hooks: 'hooks/hooks.json', event: 'PostToolUseFailure' },
    { agent: 'codex', root: 'PLUGIN_ROOT', hooks: 'hooks/codex.json', event: 'PostToolUse' },
    { agent: 'cursor', root: 'CURSOR_PLUGIN_ROOT', hooks: 'hooks/cursor.json', event: 'postToolUseFailure' },
  ])('record a failed call, once: $agent', (agent) => {
    const tool = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: `of-${agent.agent}` };
    const failure = { error: 'Exit code 2', error_message: 'Exit code 2', tool_response: 'Exit code 2' };
    expect(fire(agent, agent.event, { ...tool, ...failure })).toEqual(['{}\n']);
    const source = { claude: 'claude-code', codex: 'codex', cursor: 'cursor' }[agent.agent];
    expect(recorded().split(`"source":"${source}"`)).toHaveLength(2);
  });

  it('answer nothing, and let the agent go on, if rsi-loop is not installed', () => {
    const agent = { hooks: 'hooks/hooks.json', root: 'CLAUDE_PLUGIN_ROOT' };
    expect(fire(agent, 'Stop', {}, alone, { PATH: `/usr/bin${delimiter}/bin${delimiter}${nodeFolder()}` })).toEqual([
      '{}\n',
    ]);
  });

  it('run no code of the project that is open', () => {
    const bin = join(project, 'node_modules', '.bin');
    mkdirSync(bin, { recursive: true });
    const trap = join(folder, 'trapped');
    writeFileSync(
      join(bin, 'rsi-loop'),
      `#!/usr/bin/env node\nrequire('fs').writeFileSync(${JSON.stringify(trap)}, '')`,
    );
    writeFileSync(join(bin, 'rsi-loop.js'), `require('fs').writeFileSync(${JSON.stringify(trap)}, '')`);
    const PATH = [bin, nodeFolder(), '/usr/bin', '/bin'].join(delimiter);
    fire({ hooks: 'hooks/hooks.json', root: 'CLAUDE_PLUGIN_ROOT' }, 'Stop', {}, alone, { PATH });
    expect(readdirSync(folder)).not.toContain('trapped');
  });
});

/** Folder of this Node, without other commands in it. */
function nodeFolder(): string {
  const path = join(folder, 'node-only');
  mkdirSync(path, { recursive: true });
  try {
    cpSync(process.execPath, join(path, 'node'), { errorOnExist: true, force: false });
  } catch {
    // Made by an earlier test.
  }
  return path;
}
