import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { columns } from '../../../integrations/cli/terminal/terminal-text.js';
import { buildCommand, linkPackageFolder } from './build-command.js';
import { runCommand } from './run-command.js';

const built = mkdtempSync(join(tmpdir(), 'rsi-init-command-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(built);
  linkPackageFolder(built, 'integrations', 'plugin');
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

let root = '';
let project = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'rsi-init-')));
  project = join(root, 'project');
  mkdirSync(project);
  mkdirSync(join(root, 'home'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const rsi = (...args: readonly string[]) =>
  runCommand([command, ...args], { cwd: project, env: { HOME: join(root, 'home'), COLUMNS: '60' } });

/** Every file of the project with its content. */
function files(): Readonly<Record<string, string>> {
  const all = readdirSync(project, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    all.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'latin1')]),
  );
}

/** A project with everything that `rsi init` changes. */
function usualProject(): void {
  write('project/.git/HEAD', '');
  write('project/.gitignore', 'node_modules');
  write('project/.claude/settings.local.json', '{\n    "model": "opus"\n}');
  write('project/package.json', '{ "dependencies": { "ai": "^5.0.0", "openai": "^6" } }');
  write('project/AGENTS.md', 'Be kind.\n');
}

describe('rsi init', () => {
  it('lets Claude Code, Codex and Cursor report to the loop and read it, beside what their files hold, and undoes it', async () => {
    for (const folder of ['.claude', '.codex', '.cursor']) mkdirSync(join(project, folder));
    write('project/.codex/config.toml', 'model = "o"');
    write('project/.cursor/mcp.json', '{\r\n\t"mcpServers": { "mine": { "command": "x" } } // kept\r\n}\r\n');
    write('project/.cursor/hooks.json', '{ "version": 1, "hooks": { "stop": [{ "command": "mine" }] } }');
    const before = files();
    const { code, stdout } = await rsi('init', '--yes');
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain('do not commit ./.mcp.json, ./.codex/hooks.json');
    const read = (path: string) => readFileSync(join(project, path), 'utf8');
    const server = { command: 'node', args: [command, 'mcp', '--store', join(project, 'rsi_data')] };
    expect(JSON.parse(read('.mcp.json')).mcpServers['rsi-loop']).toEqual(server);
    expect(read('.cursor/mcp.json')).toMatch(/"mine": \{\s*"command": "x"\s*\}/);
    expect(read('.cursor/mcp.json')).toContain('// kept\r\n');
    expect(read('.codex/config.toml')).toMatch(/^model = "o"\n\n\[mcp_servers.rsi-loop\]\ncommand = "node"\nargs = \[/);
    const { hooks } = JSON.parse(read('.cursor/hooks.json'));
    expect(hooks.stop).toMatchObject([
      { command: 'mine' },
      { command: expect.stringContaining('hook cursor --store') },
    ]);
    const codex = JSON.parse(read('.codex/hooks.json')).hooks;
    expect(codex.SessionStart[0].hooks[0].command).toContain('hook codex --store');
    for (const folder of ['.claude', '.agents', '.cursor'])
      expect(read(`${folder}/skills/rsi/SKILL.md`)).toMatch(/^---\nname: rsi\ndescription: /);
    const after = files();
    expect((await rsi('init', '--yes')).code).toBe(0);
    expect(files(), 'the second run changes nothing').toEqual(after);
    expect((await rsi('init', '--undo')).code).toBe(0);
    expect(files()).toEqual(before);
  });

  it('records a session of each agent with the hooks that it wrote', async () => {
    for (const folder of ['.claude', '.codex', '.cursor']) mkdirSync(join(project, folder));
    expect((await rsi('init', '--yes')).code).toBe(0);
    const read = (path: string) => JSON.parse(readFileSync(join(project, path), 'utf8')).hooks;
    const hooks: readonly (readonly [string, object])[] = [
      [
        read('.claude/settings.local.json').PostToolUse[0].hooks[0].command,
        { hook_event_name: 'PostToolUse', session_id: 'a', tool_name: 'Read', tool_input: {}, tool_response: 'ok' },
      ],
      [
        read('.codex/hooks.json').PostToolUse[0].hooks[0].command,
        { hook_event_name: 'PostToolUse', session_id: 'b', tool_name: 'shell', tool_input: {}, tool_response: 'ok' },
      ],
      [
        read('.cursor/hooks.json').postToolUse[0].command,
        { hook_event_name: 'postToolUse', conversation_id: 'c', tool_name: 'Read', tool_input: {}, tool_output: 'ok' },
      ],
    ];
    for (const [shell, body] of hooks)
      execFileSync('/bin/sh', ['-c', `${shell} --no-background`], { cwd: project, input: JSON.stringify(body) });
    const left = readdirSync(join(project, 'rsi_data', 'hooks', 'inbox')).filter((name) => name.endsWith('.json'));
    const sources = left.map(
      (name) => JSON.parse(readFileSync(join(project, 'rsi_data', 'hooks', 'inbox', name), 'utf8')).source,
    );
    expect(sources.sort()).toEqual(['claude-code', 'codex', 'cursor']);
  });

  it('shows the plan with each file, changes nothing and asks for --yes where there is no terminal', async () => {
    usualProject();
    const before = files();
    const { code, stdout, stderr } = await rsi('init');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    for (const step of ['1. create rsi.config.mjs', '2. change .claude/settings.local.json', '5. change .gitignore'])
      expect(stdout).toContain(step);
    expect(stdout).toMatch(/AI SDK +ai \^5\.0\.0\n +OpenAI +openai \^6\n +rules +AGENTS\.md/);
    expect(stdout).toContain('Nothing was written: "npx rsi init --yes" does it.');
    expect(files()).toEqual(before);
    expect((await rsi('init', '--dry-run')).code).toBe(0);
    expect(files()).toEqual(before);
  });

  it('carries out the plan, and a second run finds nothing to do', async () => {
    usualProject();
    const { code, stdout } = await rsi('init', '--yes');
    expect(code).toBe(0);
    expect(stdout.split('\n').filter((line) => columns(line) > 60 && !line.includes("from 'rsi-loop"))).toEqual([]);
    const settings = JSON.parse(readFileSync(join(project, '.claude/settings.local.json'), 'utf8'));
    expect(Object.keys(settings.hooks)).toHaveLength(9);
    expect(readFileSync(join(project, '.gitignore'), 'utf8')).toMatch(/^node_modules\n.*\n\/rsi_data\/\n$/);
    expect(readFileSync(join(project, 'rsi.config.mjs'), 'utf8')).toContain("store: './rsi_data'");
    expect((await rsi('config')).stdout).toMatch(/^store +"\.\/rsi_data" +rsi\.config\.mjs$/m);
    const after = files();
    const again = await rsi('init', '--yes');
    expect(again.stdout).toContain('nothing: all of it is done');
    expect({ code: again.code, files: files() }).toEqual({ code: 0, files: after });
  });

  it('is undone to the byte, with the folders it made', async () => {
    usualProject();
    const before = files();
    await rsi('init', '--yes');
    expect(await rsi('init', '--undo')).toMatchObject({ code: 0, stderr: '' });
    expect(files()).toEqual(before);
    expect(existsSync(join(project, 'rsi_data'))).toBe(false);
    expect(await rsi('init', '--undo')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing to undo: '),
    });
  });

  it('leaves a file alone that was edited since, and says so', async () => {
    usualProject();
    await rsi('init', '--yes');
    const edited = `${readFileSync(join(project, '.gitignore'), 'utf8')}mine\n`;
    write('project/.gitignore', edited);
    const { code, stdout } = await rsi('init', '--undo');
    expect(code).toBe(1);
    expect(stdout.replaceAll('\n', ' ')).toContain(
      '.gitignore was changed since, so it is left alone: remove the line',
    );
    expect(stdout).toContain('.claude/settings.local.json is as before');
    expect(readFileSync(join(project, '.gitignore'), 'utf8')).toBe(edited);
    write('project/.gitignore', edited.replace('mine\n', ''));
    expect(await rsi('init', '--undo')).toMatchObject({ code: 0, stdout: '.gitignore is as before\n' });
    expect(readFileSync(join(project, '.gitignore'), 'utf8')).toBe('node_modules');
  });

  it('keeps the records when it is undone', async () => {
    await rsi('init', '--yes');
    await rsi('record', 'deploy', '--ok');
    await rsi('init', '--undo');
    expect(readdirSync(project)).toEqual(['rsi_data']);
    expect((await rsi('fixes')).code).toBe(0);
  });

  it('says in an empty folder what a user can do there', async () => {
    const { code, stdout } = await rsi('init', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('no agent, and no library that rsi knows');
    expect(stdout).toContain('npx rsi serve');
    expect(readdirSync(project).sort()).toEqual(['rsi.config.mjs', 'rsi_data']);
  });

  it('prints what fails in the transcripts of the project, after the plan has named them', async () => {
    const folder = join('home/.claude/projects', project.replace(/[^a-zA-Z0-9]/g, '-'));
    const lines = [1, 2, 3].flatMap((call) => failedCall(`call-${call}`));
    write(join(folder, 'one.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { stdout } = await rsi('init', '--yes');
    expect(stdout).toContain('read 1 session of this project in');
    expect(stdout.replace(/\n +/g, ' ')).toContain('on this machine only, nothing is sent or written');
    expect(stdout).toMatch(/1 {2}Bash · \w+ +3 of 3/);
  });

  it('goes on with the rest if a file cannot be changed, and names it', async () => {
    usualProject();
    write('project/.claude/settings.local.json', '{ "hooks": ');
    write('project/package.json', '{ "dependencies": ');
    chmodSync(join(project, '.gitignore'), 0o444);
    const { code, stdout } = await rsi('init', '--yes');
    const text = stdout.replace(/\n +/g, ' ');
    expect(code).toBe(1);
    expect(text).toMatch(/settings\.local\.json: line \d is not valid JSON/);
    expect(text).toContain('.gitignore is read-only: run "chmod u+w" on it');
    expect(text).toContain('package.json is not valid JSON, so its libraries are not known');
    expect(existsSync(join(project, 'rsi.config.mjs'))).toBe(true);
    expect(readFileSync(join(project, '.gitignore'), 'utf8')).toBe('node_modules');
  });

  it('does not follow a link of the project to settings elsewhere', async () => {
    mkdirSync(join(root, 'home/.claude'));
    symlinkSync(join(root, 'home/.claude'), join(project, '.claude'));
    const { code, stdout } = await rsi('init', '--yes', '--store', "it's");
    expect(code).toBe(1);
    expect(stdout.replace(/\n +/g, ' ')).toContain('leads out of the project');
    expect(readdirSync(join(root, 'home/.claude'))).toEqual([]);
    expect((await rsi('config')).stdout).toContain(`"./it's"`);
  });

  it('does not touch a file whose bytes it cannot keep', async () => {
    usualProject();
    write('project/.gitignore', Buffer.from([0xff, 0xfe, 0x0a]));
    const { code, stdout } = await rsi('init', '--yes');
    expect(code).toBe(1);
    expect(stdout.replace(/\n +/g, ' ')).toContain('is not text in UTF-8, so it is left alone');
    expect([...readFileSync(join(project, '.gitignore'))]).toEqual([0xff, 0xfe, 0x0a]);
  });

  it('refuses the home folder, unless there is none, and a linked folder of records', async () => {
    const atHome = await runCommand([command, 'init', '--yes'], { cwd: project, env: { HOME: project } });
    expect(atHome).toMatchObject({ code: 2, stderr: expect.stringContaining('this is your home folder') });
    const noHome = await runCommand([command, 'init', '--dry-run'], {
      cwd: project,
      env: { HOME: join(root, 'none') },
    });
    expect(noHome).toMatchObject({ code: 0, stderr: '' });
    symlinkSync(join(root, 'home'), join(project, 'rsi_data'));
    write('project/.claude/settings.json', '{}');
    const linked = await rsi('init', '--yes');
    expect(linked.code).not.toBe(0);
    expect(linked.stdout + linked.stderr).toMatch(/is a link/);
    expect(readdirSync(join(root, 'home'))).toEqual([]);
  });

  it('prints one document with --json, and does with --yes what it says', async () => {
    usualProject();
    const planned = JSON.parse((await rsi('init', '--json')).stdout);
    expect(planned).toMatchObject({ format: 'rsi-init/1', done: false, project, blocked: [] });
    expect(planned.plan.map(({ action, file }: { action: string; file: string }) => `${action} ${file}`)).toEqual([
      'create rsi.config.mjs',
      'change .claude/settings.local.json',
      'create .mcp.json',
      'create .claude/skills/rsi/SKILL.md',
      'change .gitignore',
    ]);
    expect(existsSync(join(project, 'rsi.config.mjs'))).toBe(false);
    expect(JSON.parse((await rsi('init', '--json', '--yes')).stdout)).toMatchObject({ done: true });
    expect(JSON.parse((await rsi('init', '--json', '--undo')).stdout)).toEqual({
      format: 'rsi-init-undo/1',
      restored: ['.claude/settings.local.json', '.gitignore'],
      removed: ['rsi.config.mjs', '.mcp.json', '.claude/skills/rsi/SKILL.md'],
      refused: [],
    });
  });
});

/** One call of a tool that failed, as Claude Code writes it. */
function failedCall(id: string): readonly object[] {
  const about = { sessionId: 'one', cwd: project, timestamp: new Date(Date.now() - 60_000).toISOString() };
  const use = { type: 'tool_use', id, name: 'Bash', input: { command: 'make' } };
  const result = {
    type: 'tool_result',
    tool_use_id: id,
    is_error: true,
    content: 'Exit code 2: no rule to make target',
  };
  return [
    { ...about, type: 'assistant', uuid: `${id}-a`, message: { role: 'assistant', model: 'm', content: [use] } },
    { ...about, type: 'user', uuid: `${id}-b`, message: { role: 'user', content: [result] } },
  ];
}
