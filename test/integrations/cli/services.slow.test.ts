import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ended, startNode } from '../../run-node.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';

/** A service of ten lines. `how`: deaf to SIGTERM, forks, forks into a session of its own, dies later, writes a lot. */
const FAKE = `
import { createServer } from 'node:http';
import { spawn } from 'node:child_process';
const [port, how = ''] = process.argv.slice(2);
const child = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
if (how.includes('deaf')) process.on('SIGTERM', () => {});
if (how.includes('forks')) spawn(process.execPath, ['-e', child], { stdio: 'inherit' });
if (how.includes('daemon')) spawn(process.execPath, ['-e', child], { stdio: 'ignore', detached: true }).unref();
console.log('key sk-abcdefghijklmnop1234567890 \\u001b[31mred\\u001b[0m \\u202eend');
createServer((_, response) => { response.end(); if (how.includes('dies')) process.exit(7); }).listen(Number(port), '127.0.0.1');
if (how.includes('writes')) setInterval(() => process.stdout.write('x'.repeat(999) + '\\n'), 1);
`;

const root = mkdtempSync(join(tmpdir(), 'rsi-services-'));
let command = '';
let folder = '';
let count = 0;
const others: ChildProcess[] = [];

beforeAll(async () => {
  command = await buildCommand(root);
});
afterEach(async () => {
  if (folder !== '') await rsi('stop');
  for (const other of others.splice(0)) other.kill('SIGKILL');
  expect(leftIn(folder)).toEqual([]);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder with services, each `how` at a port of its own. */
async function project(services: Record<string, { how?: string; health?: boolean; [key: string]: unknown }>) {
  folder = join(root, `project-${count++}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'fake.mjs'), FAKE);
  const ports: Record<string, number> = {};
  const all: Record<string, unknown> = {};
  for (const [name, { how = '', health = true, ...rest }] of Object.entries(services)) {
    const port = await freePort();
    ports[name] = port;
    const address = { health: `http://127.0.0.1:${port}/health` };
    all[name] = { command: [process.execPath, 'fake.mjs', String(port), how], ...(health && address), ...rest };
  }
  writeFileSync(join(folder, 'rsi.config.json'), JSON.stringify({ services: all }));
  return { ports };
}

const rsi = (...args: readonly string[]) => runCommand([command, 'services', ...args], { cwd: folder });
const recordOf = (name: string) =>
  JSON.parse(readFileSync(join(folder, 'rsi_data', 'services', `${name}.json`), 'utf8'));
const status = async (name: string) => JSON.parse((await rsi('status', name, '--json')).stdout).services[0];

/** Pids of all processes that work in the folder, but zombies: every process that a service left behind. */
function leftIn(cwd: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        return environment.includes('RUN_BY_RSI_SERVICES=') && readlinkSync(`/proc/${pid}/cwd`) === cwd;
      } catch {
        return false;
      }
    });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo; // it listens on a port
  await new Promise((done) => server.close(done));
  return port;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20);
}

// Each test runs the command several times, which takes seconds on a busy machine.
describe.skipIf(process.platform !== 'linux')('rsi services', { timeout: 120_000 }, () => {
  it('starts a service, says that it is ready, starts it once, and stops it once', async () => {
    await project({ vllm: {} });
    const first = await rsi('start', 'vllm');
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^vllm is ready after [\d.]+ m?s, as process \d+\n$/),
    });
    const { pid } = await status('vllm');
    expect(await rsi('start', 'vllm')).toMatchObject({ code: 0, stdout: `vllm runs already, as process ${pid}\n` });
    expect((await rsi()).stdout).toMatch(
      /^✓ vllm {2}ready for [\d.]+ m?s\n {2}process \d+ \(main\)\n {2}health .* answered 200\n/,
    );
    expect((await rsi('stop', 'vllm')).stdout).toMatch(/^vllm is stopped after .* \(1 process\)\n$/);
    expect((await rsi('stop', 'vllm')).stdout).toBe('vllm does not run, so there is nothing to stop\n');
    expect((await rsi('stop')).stdout).toBe('no service runs\n');
    expect((await rsi()).stdout).toMatch(/^· vllm {2}stopped\n/);
  });

  it('restarts a service, and prints one JSON document', async () => {
    await project({ vllm: {} });
    await rsi('start', '--no-wait', '--json');
    const { code, stdout } = await rsi('restart', 'vllm', '--json');
    const { format, stopped, started } = JSON.parse(stdout);
    expect([code, format]).toEqual([0, 'rsi-services-restart/1']);
    expect(stopped).toMatchObject([{ name: 'vllm', kind: 'stopped' }]);
    expect(started).toMatchObject([{ name: 'vllm', kind: 'ready', pid: recordOf('vllm').main.pid }]);
    expect(leftIn(folder)).toEqual([recordOf('vllm').main.pid]);
  });

  it('lets one of two win that start the same service at the same time', async () => {
    await project({ vllm: {} });
    const both = await Promise.all([rsi('start', 'vllm'), rsi('start', 'vllm')]);
    expect(both.map(({ code }) => code).sort()).not.toEqual([2, 2]);
    expect(both.some(({ stdout }) => stdout.includes('is ready after'))).toBe(true);
    expect(leftIn(folder)).toHaveLength(1);
  });

  it('ends children that ignore SIGTERM, and one that left the group', async () => {
    await project({ deaf: { how: 'deaf forks daemon', stopGraceMs: 200 } });
    await rsi('start', 'deaf');
    expect(leftIn(folder)).toHaveLength(3);
    expect((await rsi('stop', 'deaf')).stdout).toMatch(/\(3 processes, by SIGKILL\)/);
    expect(leftIn(folder)).toEqual([]);
  });

  it('stops a service that does not become ready, and shows the end of its log', async () => {
    await project({
      sick: { startTimeoutMs: 900, command: [process.execPath, '-e', "console.log('no gpu');setInterval(()=>{},1e3)"] },
    });
    const { code, stdout } = await rsi('start', 'sick');
    expect(code).toBe(1);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /^no gpu sick was not started: not ready after 900 ms \(http.* does not answer\): it was stopped; raise startTimeoutMs $/,
    );
    expect(leftIn(folder)).toEqual([]);
  });

  it('says why a service ended: no such program, at the start, later, by a signal', async () => {
    await project({
      wrong: { command: ['vllmm', 'serve'], health: false },
      dead: { command: [process.execPath, '-e', "console.log('no gpu'); process.exit(3)"], health: false },
      later: { how: 'dies', health: false },
      killed: { health: false },
    });
    const { code, stdout } = await rsi('start');
    expect(code).toBe(1);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `wrong was not started: there is no program vllmm, or no folder ${folder}`,
    );
    expect(stdout).toContain('no gpu\n');
    expect(stdout).toContain('dead was not started: it ended with exit code 3\n');
    expect(stdout).toMatch(/later is ready/);
    process.kill(recordOf('killed').main.pid, 'SIGKILL');
    const port = JSON.parse(readFileSync(join(folder, 'rsi.config.json'), 'utf8')).services.later.command[2];
    await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    await until(() => recordOf('later').end !== undefined && recordOf('killed').end !== undefined);
    const after = await rsi();
    expect(after.code).toBe(1);
    expect(after.stdout).toMatch(/✗ later {2}ended\n {2}end {5}it ended with exit code 7\n/);
    expect(after.stdout).toMatch(/✗ killed {2}ended\n {2}end {5}it was ended by SIGKILL\n/);
  });

  it('names what a main process left behind, and stops it', async () => {
    await project({ vllm: { how: 'forks', stopGraceMs: 200 } });
    await rsi('start', 'vllm');
    const { main } = recordOf('vllm');
    process.kill(main.pid, 'SIGKILL');
    await until(() => recordOf('vllm').end !== undefined);
    const { code, stdout } = await rsi('status');
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        /vllm {2}ended, but left processes behind.*\n {2}process \d+\n {2}next {4}.*services stop vllm/,
      ),
    ]);
    expect((await rsi('start', 'vllm')).stdout).toMatch(/an earlier run left processes behind/);
    expect((await rsi('stop', 'vllm')).stdout).toMatch(/vllm is stopped/);
    expect(leftIn(folder)).toEqual([]);
  });

  it('does not start beside a stranger on the port, and does not stop it', async () => {
    const { ports } = await project({ vllm: {} });
    const stranger = createServer((_, response) => void response.end());
    await new Promise<void>((done) => stranger.listen(ports.vllm, '127.0.0.1', done));
    const { code, stdout } = await rsi('start', 'vllm');
    expect([code, stdout.replace(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringMatching(/answers at http:\/\/127.* already, and rsi did not start it/),
    ]);
    expect((await rsi('stop', 'vllm')).stdout).toContain('nothing to stop');
    expect(stranger.listening).toBe(true);
    stranger.close();
  });

  it('never ends another process that got the pid', async () => {
    await project({ vllm: {} });
    await rsi('start', 'vllm');
    await rsi('stop', 'vllm');
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached: true });
    others.push(other);
    const { end: _, ...record } = recordOf('vllm');
    const reused = { ...record, main: { pid: other.pid, started: record.main.started } };
    writeFileSync(join(folder, 'rsi_data', 'services', 'vllm.json'), JSON.stringify(reused));
    expect(await status('vllm')).toMatchObject({ state: 'ended', pids: [] });
    expect((await rsi('stop', 'vllm')).stdout).toContain('nothing to stop');
    expect(other.exitCode ?? other.signalCode).toBeNull();
    expect((await rsi('start', 'vllm')).stdout).toMatch(/is ready/);
  });

  it('finds its service again when the starter is killed, at any moment', async () => {
    await project({ vllm: { stopGraceMs: 300 } });
    for (const afterMs of [120, 240, 320, 450]) {
      const starter = startNode([command, 'services', 'start', 'vllm'], { cwd: folder });
      const end = ended(starter);
      await sleep(afterMs);
      starter.kill('SIGKILL');
      await end;
      expect((await rsi('start', 'vllm')).stdout).toMatch(/is ready|runs already/);
      expect(leftIn(folder)).toHaveLength(1);
      expect((await rsi('stop', 'vllm')).stdout).toMatch(/is stopped/);
      expect(leftIn(folder)).toEqual([]);
    }
  });

  it('finds its service again when the keeper is killed before it recorded it', async () => {
    await project({ vllm: {} });
    await rsi('start', 'vllm');
    const { main: _, ...record } = recordOf('vllm');
    process.kill(record.keeper.pid, 'SIGKILL');
    writeFileSync(join(folder, 'rsi_data', 'services', 'vllm.json'), JSON.stringify(record));
    expect((await rsi('status')).stdout.replace(/\s+/g, ' ')).toMatch(/✓ vllm ready .* its keeper was killed/);
    expect((await rsi('start', 'vllm')).stdout).toMatch(/runs already/);
    expect((await rsi('stop', 'vllm')).stdout).toMatch(/is stopped/);
  });

  it('ends with 130 at Ctrl-C, and the service continues to start', async () => {
    await project({ slow: { command: [process.execPath, '-e', 'setInterval(() => {}, 1000)'] } });
    const starter = startNode([command, 'services', 'start', 'slow'], { cwd: folder });
    const end = ended(starter);
    await until(
      () => existsSync(join(folder, 'rsi_data', 'services', 'slow.json')) && recordOf('slow').main !== undefined,
    );
    starter.kill('SIGINT');
    expect(await end).toMatchObject({ code: 130, stdout: expect.stringContaining('slow continues to start') });
    expect(await status('slow')).toMatchObject({ state: 'starting' });
    expect((await rsi('stop', 'slow')).stdout).toMatch(/is stopped/);
  });

  it('shows its log without secrets and control characters, and keeps it bounded', async () => {
    await project({ vllm: { how: 'writes', maxLogBytes: 100_000 } });
    await rsi('start', 'vllm');
    const log = join(folder, 'rsi_data', 'services', 'vllm.log');
    await until(() => existsSync(`${log}.2`));
    expect(statSync(`${log}.2`).size).toBeLessThanOrEqual(100_000);
    // A log that was put away in this moment is empty.
    const shown = async (): Promise<string> => (await rsi('logs', 'vllm', '--lines', '2')).stdout || shown();
    expect(await shown()).toMatch(/^(x{999}\n){2}$/);
    await rsi('stop');
    writeFileSync(log, readFileSync(`${log}.2`));
    writeFileSync(log, 'key sk-abcdefghijklmnop1234567890 \u001b[31mred\u001b[0m \u202eend\n');
    expect((await rsi('logs', 'vllm')).stdout).toBe('key [redacted:openai-key] red ·end\n');
    expect(statSync(log).mode & 0o077).toBe(0);
  });

  it('follows a log until Ctrl-C', async () => {
    await project({ vllm: {} });
    await rsi('start', 'vllm');
    const reader = startNode([command, 'services', 'logs', 'vllm', '--follow'], { cwd: folder });
    const end = ended(reader);
    let seen = '';
    reader.stdout.on('data', (piece: string) => {
      seen += piece;
    });
    await until(() => seen.includes('red ·end\n'));
    appendFileSync(join(folder, 'rsi_data', 'services', 'vllm.log'), 'one\u001b[2J\ntwo');
    await until(() => seen.endsWith('one\n'));
    reader.kill('SIGINT');
    expect((await end).code).toBe(130);
  });

  it('shows memory on graphics cards where nvidia-smi reports it', async () => {
    await project({ vllm: {} });
    await rsi('start', 'vllm');
    const { pid } = recordOf('vllm').main;
    writeFileSync(join(folder, 'nvidia-smi'), `#!/bin/sh\necho "${pid}, 14000"\necho "1, 999"\necho "${pid}, 336"\n`);
    chmodSync(join(folder, 'nvidia-smi'), 0o755);
    const env = { PATH: `${folder}${delimiter}${process.env.PATH}` };
    const { stdout } = await runCommand([command, 'services'], { cwd: folder, env });
    expect(stdout).toContain('\n  GPU     14,336 MiB\n');
  });

  it('says what is wrong with what was typed, in one line', async () => {
    await project({ vllm: {} });
    for (const [args, problem] of [
      [['bounce'], 'error: services cannot bounce: give one of start, stop, restart, status, logs, print\n'],
      [
        ['start', 'nope'],
        'error: there is no service "nope": add it to services in rsi.config, or name one of vllm, ollama, hub\n',
      ],
      [['stop', '../../x'], 'error: there is no service "../../x"'],
      [['logs'], 'error: services logs takes one name: give it, such as "services logs vllm"\n'],
      [['logs', 'vllm'], 'error: vllm was never started, so it has no log: "services start vllm"\n'],
      [['print', 'upstart'], 'error: services print takes systemd or compose, not upstart\n'],
    ] as const) {
      expect(await rsi(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(problem) });
    }
  });

  it('refuses the record of another version, and one that is damaged', async () => {
    await project({ vllm: {} });
    await rsi('start', 'vllm');
    const path = join(folder, 'rsi_data', 'services', 'vllm.json');
    const record = readFileSync(path, 'utf8');
    writeFileSync(path, record.replace('rsi-service/1', 'rsi-service/9'));
    expect((await rsi('stop', 'vllm')).stderr).toContain(
      'has format rsi-service/9: this version of rsi reads rsi-service/1',
    );
    writeFileSync(path, record.slice(0, 40));
    expect((await rsi('status')).stderr).toContain('vllm.json is damaged');
    writeFileSync(path, record);
  });
});
