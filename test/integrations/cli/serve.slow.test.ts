import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Running, startUntilReady } from '../../run-node.js';
import { buildCommand, writePage } from './build-command.js';
import { runCommand } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-serve-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
  writePage(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasCurl = spawnSync('curl', ['--version']).status === 0;

interface Served extends Running {
  readonly url: string;
}

async function served(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Served> {
  const running = await startUntilReady([command, 'serve', '--port', '0', ...args], { cwd: folder, env });
  const url = /listening on (\S+),/.exec(running.printed)?.[1] ?? '';
  return { ...running, url };
}

describe('rsi serve', () => {
  it.runIf(hasCurl)(
    'says where it listens, its three commands work as printed, and Ctrl-C ends it with everything kept',
    async () => {
      const server = await served(['--store', 'day']);
      const commands = server.printed.match(/^ {2}curl(?:.*\\\n)*.*$/gm) ?? [];
      expect(commands).toHaveLength(3);
      expect(commands.flatMap((command) => command.split('\n')).filter((line) => line.length > 80)).toEqual([]);
      const [observed, patterns, health] = commands.map((command) => {
        const { stdout, stderr } = spawnSync('sh', ['-c', `${command.trim()} -sS`], { encoding: 'utf8' });
        return JSON.parse(stdout || JSON.stringify({ stderr }));
      });
      expect(observed).toEqual({ id: expect.any(String), issues: ['rate_limit'] });
      expect([patterns.patterns, health.known]).toEqual([[], true]);
      const { code, stdout, stderr } = await server.interrupt();
      expect([code, stderr]).toEqual([130, '']);
      expect(stdout).toContain(`${folder}`);
      const exported = await runCommand([command, 'export', '--store', 'day'], { cwd: folder });
      expect(exported.stdout).toContain(observed.id);
    },
  );

  it('ends when the shell is ended by which npx started it', async () => {
    const shell = spawn('sh', ['-c', '"$0" "$1" serve --port 0 --store npx; true', process.execPath, command], {
      cwd: folder,
      env: { ...process.env, npm_command: 'exec' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    for await (const chunk of shell.stdout) {
      printed += chunk;
      // The pipe closes once the server has ended too; then this loop ends.
      if (printed.includes('Ctrl-C')) shell.kill('SIGKILL');
    }
    const url = /listening on (\S+),/.exec(printed)?.[1] ?? '';
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
  });

  it('serves the dashboard too, where it says', async () => {
    const server = await served(['--store', 'page', '--dashboard']);
    const url = /the dashboard is at (\S+)/.exec(server.printed)?.[1] ?? '';
    expect(url).toBe(`${server.url}/dashboard/`);
    expect(await (await fetch(url)).text()).toContain('<base href="/dashboard/">');
    const token = readFileSync(join(folder, 'page', 'decision-token'), 'utf8').trim();
    const headers = { 'content-type': 'application/json' };
    const login = await fetch(`${url}api/login`, { method: 'POST', headers, body: JSON.stringify({ token }) });
    expect(login.status).toBe(204);
    expect((await server.interrupt()).code).toBe(130);
  });

  it('serves others only with a secret from the environment', async () => {
    const token = 'a-token-of-many-characters';
    const refused = await runCommand([command, 'serve', '--host', '0.0.0.0', '--store', 'open'], { cwd: folder });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('set RSI_TOKEN or RSI_HMAC_SECRET')]);
    const server = await served(['--host', '0.0.0.0', '--store', 'open'], { RSI_TOKEN: token });
    expect(server.printed).toContain('authorization: Bearer $RSI_TOKEN');
    expect(server.printed).not.toContain(token);
    const local = server.url.replace('0.0.0.0', '127.0.0.1');
    const statuses = [
      await fetch(`${local}/health`),
      await fetch(`${local}/health`, { headers: { authorization: `Bearer ${token}` } }),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([401, 200]);
    expect((await server.interrupt()).code).toBe(130);
  });

  it('names what it cannot use', async () => {
    writeFileSync(join(folder, 'a-file'), '');
    mkdirSync(join(folder, 'other'), { recursive: true });
    writeFileSync(join(folder, 'other', 'letter.txt'), 'dear');
    const cases: readonly [readonly string[], NodeJS.ProcessEnv, string][] = [
      [['--port', '7x'], {}, '7x'],
      [['--prot', '1'], {}, '--prot'],
      [['--cycle', '0'], {}, '--cycle'],
      [['--store', 'a-file'], {}, 'a-file is a file'],
      [['--store', 'other'], {}, 'no store.json'],
      [['--allow-origin', 'example.com'], {}, 'example.com'],
      [[], { RSI_TOKEN: 'short' }, 'RSI_TOKEN is too short'],
    ];
    for (const [args, env, says] of cases) {
      const { code, stderr } = await runCommand([command, 'serve', ...args], { cwd: folder, env });
      expect([code, stderr], args.join(' ')).toEqual([2, expect.stringContaining(says)]);
    }
  });
});
