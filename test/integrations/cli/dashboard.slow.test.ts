import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sealLine } from '../../../src/node/line.js';
import { type Running, startUntilReady } from '../../run-node.js';
import { buildCommand, writePage } from './build-command.js';
import { runCommand } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-dashboard-'));
let command = '';
const shown: Shown[] = [];

beforeAll(async () => {
  command = await buildCommand(folder);
  writePage(folder);
});
afterEach(async () => {
  for (const each of shown.splice(0)) await each.interrupt();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Shown extends Running {
  readonly url: string;
  /** Link that was printed, which signs in. */
  readonly link: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Record<string, unknown>>;
}

async function show(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Shown> {
  const all = [command, 'dashboard', '--port', '0', '--no-open', ...args];
  const running = await startUntilReady(all, { cwd: folder, env });
  const link = /http:\S+/.exec(running.printed)?.[0] ?? '';
  const url = new URL(link).origin;
  const one = {
    ...running,
    url,
    link,
    get: async (path: string, headers = {}) => (await fetch(`${url}/api/${path}`, { headers })).json(),
  };
  shown.push(one);
  return one;
}

/** Signs in by the printed link, like the browser that the command opens. */
async function opened({ link, get }: Shown): Promise<Readonly<Record<string, string>>> {
  const { headers } = await fetch(link, { redirect: 'manual' });
  const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const { csrf } = await get('status', { cookie });
  return { cookie, 'x-rsi-csrf': String(csrf), 'content-type': 'application/json' };
}

function agentOn(store: string): RSILoop {
  const loop = new RSILoop({ store: new FileStore(store), autoFix: false });
  for (let index = 0; index < 40; index++) {
    loop.observer.recordSimple('fetch_page', index % 2 ? { success: true } : { success: false, error: 'ECONNRESET' });
  }
  return loop;
}

const filesIn = (store: string) =>
  readdirSync(store, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('writers'))
    .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]);

describe('rsi dashboard', () => {
  it('shows a folder beside the agent that writes it, passes a decision on, and writes nothing else', async () => {
    const store = join(folder, 'day');
    const agent = agentOn(store);
    await agent.runCycle();
    const before = filesIn(store);
    const page = await show(['--store', 'day']);
    const headers = await opened(page);
    expect(page.printed).toContain(store);
    expect(await page.get('status')).toMatchObject({
      decisions: { allowed: false, reason: 'decisions need a sign-in: open the link that rsi dashboard printed' },
    });
    expect((await fetch(`${page.url}/patterns`)).headers.get('content-type')).toContain('text/html');
    const status = await page.get('status', headers);
    expect(status).toMatchObject({ store, simulated: false, decisions: { allowed: true } });
    expect(status).not.toHaveProperty('stale');
    expect(await page.get('patterns')).toMatchObject({ patterns: [{ task: 'fetch_page', count: 20 }] });
    expect(filesIn(store)).toEqual(before);

    const [fix] = agent.fixes();
    const body = JSON.stringify({ verb: 'approve', fixId: fix?.id, by: 'ada' });
    const made = await fetch(`${page.url}/api/decisions`, { method: 'POST', headers, body });
    expect(await made.json()).toMatchObject({ fix: { id: fix?.id, status: 'approved' } });
    // The agent leads, and reads the decision with its next cycle.
    await agent.runCycle();
    expect(agent.explain(fix?.id ?? '').history.at(-1)).toMatchObject({ by: 'ada' });
    const { row } = (await page.get(`fixes/${fix?.id}`)) as { row: { status: string } };
    expect(row.status).toBe(agent.fixes()[0]?.status);
    const { code, stderr } = await page.interrupt();
    expect([code, stderr]).toEqual([130, '']);
    await agent.close();
  });

  it('says that figures are old only if records wait that no cycle has counted', async () => {
    const store = join(folder, 'quiet');
    const agent = agentOn(store);
    await agent.runCycle();
    await agent.close();
    const page = await show(['--store', 'quiet']);
    expect((await page.get('status')).stale).toBeUndefined();
    expect(await page.get('patterns')).toMatchObject({ patterns: [{ count: 20 }] });
    await agentOn(store).close();
    const later = await show(['--store', 'quiet']);
    expect((await later.get('status')).stale).toMatch(/^Records were added after the last cycle.*Count them now/);
  });

  it('says that its folder was deleted, keeps the last figures, and does not create it again', async () => {
    const store = join(folder, 'gone');
    const agent = agentOn(store);
    await agent.runCycle();
    await agent.close();
    const page = await show(['--store', 'gone']);
    const headers = await opened(page);
    expect(await page.get('patterns')).toMatchObject({ patterns: [{ count: 20 }] });
    rmSync(store, { recursive: true });
    let stale = '';
    for (const deadline = Date.now() + 20_000; !stale.includes('gone') && Date.now() < deadline; ) {
      stale = String((await page.get('status')).stale);
    }
    expect(stale).toBe(`The folder ${store} is gone. Put it back, or start the dashboard with its new path.`);
    const body = JSON.stringify({ verb: 'freeze', by: 'ada' });
    const made = await fetch(`${page.url}/api/decisions`, { method: 'POST', headers, body });
    expect([made.status, (await made.json()).message]).toEqual([400, expect.stringContaining(`No folder ${store}`)]);
    expect(await page.get('patterns')).toMatchObject({ patterns: [{ count: 20 }] });
    expect(existsSync(store)).toBe(false);
    expect((await page.interrupt()).code).toBe(130);
  });

  it.each([
    ['a missing folder', ['--store', 'nowhere'], /no folder nowhere: an agent with a FileStore creates it/],
    ['a file', ['--store', 'rsi.mjs'], /rsi\.mjs is a file/],
    ['a folder of something else', ['--store', 'node_modules'], /not the folder of a loop/],
    ['an address that others can reach', ['--store', 'day', '--host', '0.0.0.0'], /set RSI_TOKEN in the environment/],
    ['a port that is no port', ['--port', '70000'], /from 0 to 65535/],
  ])('ends with a sentence for %s', async (_name, args, message) => {
    const { code, stderr, stdout } = await runCommand([command, 'dashboard', '--no-open', ...args], { cwd: folder });
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('ends with a sentence for a store of another version, and for a port in use', async () => {
    const store = join(folder, 'newer');
    const agent = agentOn(store);
    await agent.runCycle();
    await agent.close();
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => other.once('listening', done));
    const port = String((other.address() as AddressInfo).port);
    const taken = await runCommand([command, 'dashboard', '--no-open', '--store', 'newer', '--port', port], {
      cwd: folder,
    });
    expect([taken.code, taken.stderr]).toEqual([
      2,
      expect.stringContaining('another program does; give another --port'),
    ]);
    other.close();
    writeFileSync(join(store, 'store.json'), `${sealLine('"format":3,"kind":"store","product":"rsi-loop"}')}\n`);
    const { code, stderr } = await runCommand([command, 'dashboard', '--no-open', '--port', '0', '--store', 'newer'], {
      cwd: folder,
    });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/version|format/)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('shows a week of a simulated agent without a folder, and says that it is simulated', async () => {
    const page = await show(['--demo', '--store', 'nowhere']);
    expect(page.printed).toContain('a simulated agent');
    expect(await page.get('status')).toMatchObject({ simulated: true, decisions: { allowed: true } });
    const { patterns } = (await page.get('patterns')) as { patterns: unknown[] };
    expect(patterns.length).toBeGreaterThan(2);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
    expect((await page.interrupt()).code).toBe(130);
  });

  it('asks for the token of the environment, and never prints it', async () => {
    const agent = agentOn(join(folder, 'team'));
    await agent.runCycle();
    await agent.close();
    const token = 'a-token-of-many-characters';
    const page = await show(['--store', 'team', '--host', '0.0.0.0'], { RSI_TOKEN: token });
    expect(page.printed).not.toContain(token);
    expect((await page.get('overview')).action).toBe('login');
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ token });
    const { status } = await fetch(`${page.url}/api/login`, { method: 'POST', headers, body });
    expect(status).toBe(204);
  });
});
