import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programOf } from '../../../integrations/cli/program.js';
import { columns } from '../../../integrations/cli/terminal/terminal-text.js';
import { type Ended, ended, runNode, startNode } from '../../run-node.js';
import { buildCommand, writePage } from './build-command.js';
import { runCommand } from './run-command.js';
import { scriptFolder } from './scripted-folder.js';

/** Verbs that create the folder of the loop or can do without it: an agent may begin there. */
const CREATES = [
  'record',
  'import',
  'serve',
  'watch',
  'hook',
  'mcp',
  'install',
  'uninstall',
  'init',
  'ci',
  'services',
  'models',
  'config',
  'prove',
  'oversee',
  'worse',
];
/** Verbs whose output is for programs, not for a terminal. */
const FOR_PROGRAMS = ['export', 'advice', 'hook', 'mcp', 'completion'];
/** Verbs that go on until they are asked to stop. */
const RUNS_ON = ['serve', 'mcp', 'watch', 'dashboard'];
/** Verbs that answer every mistake with 0, because an agent waits for them. */
const NEVER_FAILS = ['hook'];

const program = await programOf(() => {});
const verbs = program.commands;
const named = (list: readonly string[]) => verbs.map((verb) => verb.name()).filter((name) => list.includes(name));
const without = (list: readonly string[]) => verbs.map((verb) => verb.name()).filter((name) => !list.includes(name));
const has = (name: string, option: string) => verbOf(name).options.some(({ long }) => long === option);

function verbOf(name: string): Command {
  const found = verbs.find((verb) => verb.name() === name);
  if (!found) throw new Error(`no verb ${name}`);
  return found;
}

const folder = mkdtempSync(join(tmpdir(), 'rsi-every-'));
const store = join(folder, 'given');
let command = '';
/** A server that takes a call and never answers. */
let silent: Server | undefined;
let silentUrl = '';
beforeAll(async () => {
  command = await buildCommand(folder);
  writePage(folder);
  await scriptFolder(store);
  writeFileSync(join(folder, 'log.jsonl'), '{"task":"deploy","success":false,"error":"timed out","session":"s-1"}\n');
  writeFileSync(join(folder, 'CLAUDE.md'), '- Use tabs.\n- Write tests.\n');
  writeFileSync(join(folder, 'stall.mjs'), STALL);
  writeFileSync(join(folder, 'at-start.mjs'), AT_START);
  writeFileSync(join(folder, 'reading.mjs'), READING);
  writeFileSync(join(folder, 'sync.mjs'), SYNC);
  const server = createServer(() => {});
  silent = server;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  silentUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
}, 180_000);
afterAll(() => {
  silent?.closeAllConnections();
  silent?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Blocks the reading of the store, and says so, as a hanging disk does. */
const STALL = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const hangs = (path) => String(path).includes('stalled');
for (const name of ['open', 'readFile', 'readdir', 'stat', 'lstat']) {
  const real = fs.promises[name];
  fs.promises[name] = (path, ...rest) => {
    if (!hangs(path)) return real(path, ...rest);
    process.stderr.write('stalled\\n');
    setInterval(() => {}, 1_000);
    return new Promise(() => {});
  };
}
syncBuiltinESMExports();
`;
/** Hands Ctrl-C to the command as soon as it listens to it, before the rest of it is loaded. */
const AT_START = `
process.on('newListener', (name) => {
  if (name === 'SIGINT') process.nextTick(() => process.emit('SIGINT', 'SIGINT'));
});
`;

/** Says when the command reads its standard input, as a stream or without looking at events. */
const READING = `
const { stdin } = process;
const real = stdin[Symbol.asyncIterator];
stdin[Symbol.asyncIterator] = function () {
  process.stderr.write('reading\\n');
  return real.call(this);
};
`;
const SYNC = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const real = fs.readSync;
fs.readSync = (...args) => {
  fs.writeSync(2, 'reading\\n');
  return real(...args);
};
syncBuiltinESMExports();
`;

const VALUES: Readonly<Record<string, string>> = {
  id: '1371001bd4',
  task: 'api_call',
  pattern: 'api_call',
  path: 'log.jsonl',
  agent: 'claude',
  folder: 'drop',
  file: 'CLAUDE.md',
};

/** Arguments that a verb needs, as the table names them. */
function argumentsOf(name: string): readonly string[] {
  const required = verbOf(name).registeredArguments.filter((argument) => argument.required);
  return required.map((argument) => VALUES[argument.name()] ?? argument.name());
}

/** Options without which a verb does not read the store. */
function neededOptions(name: string): readonly string[] {
  if (name === 'erase') return ['--text', 'nothing like it'];
  return name === 'completion' ? ['--list', 'fixes'] : [];
}

const env = { TZ: 'UTC', COLUMNS: '60', HOME: folder, RSI_CONFIG: 'none' };
const rsi = (args: readonly string[], cwd = folder) => runCommand([command, ...args], { cwd, env });

/** Runs a command until it prints `sign`, presses Ctrl-C, and returns how it ended. */
async function interrupt(args: readonly string[], sign: string, cwd = folder, signal: 'SIGINT' | 'SIGTERM' = 'SIGINT') {
  const child = startNode(args, { cwd, env });
  const end = ended(child);
  const seen = new Promise<void>((done) => {
    let text = '';
    const look = (chunk: Buffer | string) => {
      text += String(chunk);
      if (text.includes(sign)) done();
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
  });
  await Promise.race([seen, end]);
  child.kill(signal);
  return end;
}

/** A mistake is one line on standard error, and nothing on standard output. */
function expectMistake({ code, stdout, stderr }: Ended, words: string | RegExp = ''): void {
  expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
  expect(stderr).toMatch(words);
}

const [, JSON_TABLE = ''] = readFileSync(resolve(import.meta.dirname, '../../../docs/cli.md'), 'utf8').split(
  '## JSON documents',
);

/** A document has a format, and if docs/cli.md lists that, no field which it does not list. */
function expectDocumented({ format, ...fields }: Readonly<Record<string, unknown>>): void {
  expect(format).toMatch(/^rsi-[a-z-]+\/\d+$/);
  const row = JSON_TABLE.split('\n').find((line) => line.includes(`| \`${format}\` `));
  if (row === undefined) expect(NOT_IN_TABLE).toContain(format);
  else expect(Object.keys(fields).filter((name) => !row.includes(`\`${name}\``))).toEqual([]);
}

/** Formats with a page of their own. */
const NOT_IN_TABLE = ['ci', 'init', 'notify', 'gaps', 'bench', 'prove', 'worse', 'skills'].map(
  (name) => `rsi-${name}/1`,
);

describe('every verb of rsi', () => {
  it.for(without(NEVER_FAILS))('says in one line which option or argument it does not know: %s', async (name) => {
    const needed = argumentsOf(name);
    expectMistake(await rsi([name, ...needed, '--nonsense']), /unknown option '--nonsense'.*--help" says more/);
    if (needed.length > 0) expectMistake(await rsi([name]), /missing required argument .*--help" says more/);
  });

  it.for(without(CREATES).filter((name) => has(name, '--store')))(
    'never takes a missing folder for an empty one: %s',
    async (name) => {
      const gone = await rsi([name, ...argumentsOf(name), ...neededOptions(name), '--store', 'gone']);
      expectMistake(gone, 'no folder gone');
      expect(existsSync(join(folder, 'gone'))).toBe(false);
    },
  );

  it('says that a log, or the folder of the files of the agent, is missing', async () => {
    expectMistake(await rsi(['analyze', 'gone']), 'gone');
    expectMistake(await rsi(['import', 'gone', '--store', 'new']), 'gone');
    expect(existsSync(join(folder, 'new'))).toBe(false);
    for (const name of verbs.map((verb) => verb.name()).filter((verb) => has(verb, '--workspace'))) {
      expectMistake(await rsi([name, ...argumentsOf(name), '--store', store, '--workspace', 'gone']), 'no folder gone');
    }
  });

  it.for(without(NEVER_FAILS))('ends with 130 at Ctrl-C while it is loaded: %s', async (name) => {
    const args = ['--import', join(folder, 'at-start.mjs'), command, name, ...argumentsOf(name)];
    const { code } = await runNode(args, { cwd: mkdtempSync(join(folder, 'start-')), env });
    expect(code).toBe(130);
  });

  it.for(without([...CREATES, 'erase']).filter((name) => has(name, '--store')))(
    'ends with 130 at Ctrl-C while the disk hangs: %s',
    async (name) => {
      const cwd = mkdtempSync(join(folder, 'disk-'));
      cpSync(store, join(cwd, 'stalled'), { recursive: true });
      const words = [name, ...argumentsOf(name), ...neededOptions(name), '--store', 'stalled'];
      const args = ['--import', join(folder, 'stall.mjs'), command, ...words];
      expect(await interrupt(args, 'stalled\n', cwd)).toMatchObject({ code: 130, stdout: '' });
    },
  );

  it('ends with 130 at Ctrl-C while it waits for input or for a server', async () => {
    for (const args of [['analyze'], ['analyze', '-'], ['import', '-', '--store', 'piped']]) {
      const stalls = ['--import', join(folder, 'reading.mjs'), command, ...args];
      expect(await interrupt(stalls, 'reading\n'), args.join(' ')).toMatchObject({ code: 130 });
    }
    // The signal itself ends a hook, which a shell reports as 130.
    const hook = startNode(['--import', join(folder, 'sync.mjs'), command, 'hook', 'claude'], { cwd: folder, env });
    hook.stderr.once('data', () => hook.kill('SIGINT'));
    await ended(hook);
    expect(hook.signalCode).toBe('SIGINT');
    const called = new Promise<void>((done) => silent?.once('request', () => done()));
    const models = startNode([command, 'models', '--vllm', silentUrl], { cwd: folder, env });
    const end = ended(models);
    await called;
    models.kill('SIGINT');
    expect(await end).toMatchObject({ code: 130 });
  });

  it.for(named(RUNS_ON))('ends with 130 at Ctrl-C, and with 0 when the system asks it to stop: %s', async (name) => {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 0],
    ] as const) {
      const cwd = mkdtempSync(join(folder, 'server-'));
      cpSync(store, join(cwd, 'rsi_data'), { recursive: true });
      const port = has(name, '--port') ? ['--port', '0'] : [];
      const open = has(name, '--open') || has(name, '--no-open') ? ['--no-open'] : [];
      const end = await interrupt([command, name, ...argumentsOf(name), ...port, ...open], 'Ctrl-C', cwd, signal);
      expect({ signal, code: end.code }, end.stderr).toEqual({ signal, code });
    }
  });

  it.for(without([...FOR_PROGRAMS, ...RUNS_ON]))('fits 60 columns, and runs with 40: %s', async (name) => {
    const json = has(name, '--json') ? [['--json']] : [];
    for (const extra of [[], ...json]) {
      const cwd = mkdtempSync(join(folder, 'wide-'));
      cpSync(store, join(cwd, 'rsi_data'), { recursive: true });
      writeFileSync(join(cwd, 'log.jsonl'), '{"task":"deploy","success":false,"error":"timed out"}\n');
      mkdirSync(join(cwd, 'drop'));
      const filter = name === 'erase' ? neededOptions(name) : [];
      const input = name === 'analyze' ? ['log.jsonl'] : [];
      // Once in a process of its own, which has to end.
      const run = extra.length > 0 ? runCommand : runNode;
      const words = [command, name, ...argumentsOf(name), ...filter, ...input, ...extra];
      const { code, stdout, stderr } = await run(words, { cwd, env });
      expect([0, 1, 2], stderr).toContain(code);
      if (code === 2) expectMistake({ code, stdout, stderr });
      if (extra.length > 0 && code !== 2) expectDocumented(JSON.parse(stdout));
      // A path may be longer, because it is never cut.
      const wide = stdout.split('\n').filter((line) => columns(line) > 60 && !line.includes(cwd));
      if (extra.length === 0) expect(wide).toEqual([]);
    }
    const narrow = await runCommand([command, name, '--help'], { cwd: folder, env: { ...env, COLUMNS: '40' } });
    expect(narrow).toMatchObject({ code: 0, stderr: '' });
  });
});
