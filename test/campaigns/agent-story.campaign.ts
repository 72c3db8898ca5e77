/**
 * The whole story of a person with a coding agent, in one run of the real command: install, 60 sessions that begin
 * with the hook of the settings (their other hooks run in one process each), a useless line told and a good one proven, a worse release noticed, and every byte back. Prints the
 * screens. Exits 1 if a step fails.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { seededRandom } from '../../src/lib/random.js';
import { buildCommand, bundleAll, linkPackageFolder } from '../integrations/cli/build-command.js';

const SESSIONS = 60;
const TURNS = 5;
const OLD = 150;
const GOOD = '- Run `npm test` before you say that you are done.';
const LINES = [GOOD, '- Be brief.', '- Prefer short names.', '- Write comments in English.'];
const CLIENTS = { old: '2.1.35', new: '2.1.36' };
const DAY_MS = 86_400_000;

const root = realpathSync(mkdtempSync(join(tmpdir(), 'rsi-story-')));
const project = join(root, 'app');
const home = join(root, 'home');
const projects = join(home, '.claude', 'projects', project.replace(/[^a-zA-Z0-9]/g, '-'));
for (const folder of ['.claude', '.codex', '.cursor'].map((name) => join(project, name)).concat(projects))
  mkdirSync(folder, { recursive: true });
writeFileSync(join(project, 'CLAUDE.md'), `# Rules\n\n${LINES.join('\n')}\n`);
writeFileSync(join(project, '.claude', 'settings.local.json'), '{\n    "model": "opus"\n}');
writeFileSync(join(project, '.codex', 'config.toml'), 'model = "o"');
const command = await buildCommand(root);
linkPackageFolder(root, 'integrations', 'plugin');
const rest = await bundleAll(join(import.meta.dirname, 'agent-story', 'rest-of-session.ts'), join(root, 'rest.mjs'));
const env = { ...process.env, HOME: home, COLUMNS: '100', CLAUDE_CONFIG_DIR: '', CODEX_HOME: '' };
const random = seededRandom(11);

function rsi(...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [command, ...args], { cwd: project, env, encoding: 'utf8' });
  console.log(`\n$ rsi ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

function must(isTrue: boolean, step: string): void {
  console.log(`${isTrue ? 'ok' : 'FAILED'}: ${step}`);
  if (!isTrue) process.exitCode = 1;
}

/** Files of the project with their bytes, without the records and the backups of rsi. */
function files(): string {
  const all = readdirSync(project, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const shown = all
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/rsi_data|\.rsi-backups/.test(path));
  return shown
    .sort()
    .map((path) => `${relative(project, path)}\n${readFileSync(path, 'latin1')}`)
    .join('\0');
}

/** Calls a hook as the agent does: with the command in its settings. */
function hook(event: string, session: string, fields: object = {}): string {
  const { hooks } = JSON.parse(readFileSync(join(project, '.claude', 'settings.local.json'), 'utf8'));
  const shell = `${hooks[event][0].hooks[0].command} --no-background`;
  const input = JSON.stringify({ session_id: session, cwd: project, hook_event_name: event, ...fields });
  return execFileSync('/bin/sh', ['-c', shell], { cwd: project, env, input, encoding: 'utf8' });
}

/** Runs one session: a turn fails in 45 % without the good line, and in 12 % with it. */
function session(name: string): void {
  const given = hook('SessionStart', name, { source: 'startup', model: 'opus' });
  const hasLine = given.includes('npm test');
  const bodies: object[] = [];
  const add = (hook_event_name: string, fields: object = {}) =>
    bodies.push({ session_id: name, cwd: project, hook_event_name, ...fields });
  let hasFailed = false;
  for (let turn = 0; turn <= TURNS; turn++) {
    add('UserPromptSubmit', { prompt: hasFailed ? 'No, that is wrong.' : 'go on' });
    if (turn === TURNS) break;
    add('PostToolUse', { tool_name: 'Edit', tool_input: { file_path: 'a.ts' }, tool_response: 'ok' });
    if (hasLine && random() < 0.8)
      add('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_response: 'ok' });
    add('Stop');
    hasFailed = random() < (hasLine ? 0.12 : 0.45);
  }
  add('SessionEnd', { reason: 'other' });
  const bodiesText = bodies.map((body) => JSON.stringify(body));
  const ended = spawnSync(process.execPath, [rest, join(project, 'rsi_data'), ...bodiesText], { cwd: project, env });
  if (ended.status !== 0) throw new Error(String(ended.stderr));
}

/** Writes the transcript that the agent keeps of a session. */
function transcript(name: string, atMs: number, client: string, editsFail: number): void {
  const head = { sessionId: name, version: client, cwd: project, timestamp: new Date(atMs).toISOString() };
  const lines: object[] = [{ ...head, type: 'user', message: { role: 'user', content: 'go on' } }];
  for (let call = 0; call < 20; call++) {
    const use = { type: 'tool_use', id: `c${call}`, name: 'Edit', input: { file_path: 'a.ts' } };
    const result = { type: 'tool_result', tool_use_id: `c${call}`, content: 'text', is_error: random() < editsFail };
    lines.push({ ...head, type: 'assistant', message: { role: 'assistant', model: 'opus', content: [use] } });
    lines.push({ ...head, type: 'user', message: { role: 'user', content: [result] } });
  }
  const path = join(projects, `${name}.jsonl`);
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'));
  utimesSync(path, atMs / 1_000, atMs / 1_000);
}

const nowMs = Date.now();
const stepMs = (7 * DAY_MS) / 30;
for (let index = 0; index < OLD; index++)
  transcript(`old-${index}`, nowMs - (SESSIONS + OLD - index) * stepMs, CLIENTS.old, 0.02);
const before = files();

rsi('init', '--yes');
must(files() !== before, 'the agents report to the loop');
rsi('prove', 'CLAUDE.md', '--start', '--error-rate', '0.1');
for (let index = 0; index < SESSIONS; index++) {
  session(`new-${index}`);
  const isNew = index >= SESSIONS / 2;
  transcript(
    `new-${index}`,
    nowMs - (SESSIONS - index) * stepMs,
    isNew ? CLIENTS.new : CLIENTS.old,
    isNew ? 0.12 : 0.02,
  );
}
const proven = rsi('prove', 'CLAUDE.md');
const part = (from: RegExp) => proven.split('\n\n').find((text) => from.test(text)) ?? '';
must(/earns? (?:its|their) tokens/.test(part(/npm test/)), 'the good line is proven');
must(/useless/.test(part(/looks? useless/)) && !/npm test/.test(part(/looks? useless/)), 'the useless line is named');
must(/followed: /.test(proven), 'the report says whether the good line was followed');
const { status: ended } = spawnSync(
  process.execPath,
  [command, 'watch', join(project, 'rsi_data', 'hooks', 'inbox'), '--once', '--delete', '--settle', '0'],
  { cwd: project, env, encoding: 'utf8' },
);
must(ended === 0, 'the records are read');
const worse = rsi('worse');
must(/edits that fail .* since client 2\.1\.36/.test(worse), 'the worse release is noticed');
must(/^worse +edits/m.test(rsi('status')), 'the status says so');
rsi('status', '--week');
rsi('worse', '--letter');
rsi('prove', 'CLAUDE.md', '--stop');
rsi('init', '--undo');
must(files() === before, 'every file of the project is as before, to the byte');
rmSync(root, { recursive: true, force: true });
