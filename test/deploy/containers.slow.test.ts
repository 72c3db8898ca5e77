import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { PostgresStore } from 'rsi-loop/stores/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildCommand, bundleAll, writePage } from '../integrations/cli/build-command.js';
import { freePort, type PostgresServer, startPostgres, whyNoPostgres } from '../integrations/stores/postgres-server.js';

const why = whyNoPostgres();
const FOLDER = resolve(import.meta.dirname, '../../deploy');
/** User without rights, as in the containers. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

let server: PostgresServer;
/** In place of /app of the image. Only readable. */
let app: string;
let programs: Readonly<Record<string, string>>;

beforeAll(async () => {
  if (why !== undefined) return;
  server = await startPostgres();
  app = mkdtempSync(join(tmpdir(), 'rsi-containers-'));
  chmodSync(app, 0o755);
  writePage(app);
  const agent = await bundleAll(join(FOLDER, 'agent.mjs'), join(app, 'agent.mjs'));
  copyFileSync(join(FOLDER, 'healthy.mjs'), join(app, 'healthy.mjs'));
  programs = { rsi: await buildCommand(app), '/app/agent.mjs': agent, '/app/healthy.mjs': join(app, 'healthy.mjs') };
}, 120_000);
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await server?.stop();
  if (app !== undefined) rmSync(app, { recursive: true, force: true });
});

const running: Container[] = [];

/** Process that does the work of a container, with the lines that it printed. */
class Container {
  readonly lines: string[] = [];
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly #folder: string;
  #look = () => {};

  constructor(command: readonly string[], env: Readonly<Record<string, string>>) {
    this.#folder = mkdtempSync(join(app, 'data-'));
    chmodSync(this.#folder, 0o777);
    const [program = '', ...args] = command;
    const words =
      program === 'node' ? [programs[args[0] ?? ''] ?? '', ...args.slice(1)] : [programs.rsi ?? '', ...args];
    const options = { cwd: this.#folder, env: { PATH: process.env.PATH ?? '', ...env }, ...NOBODY };
    this.child = spawn(process.execPath, words, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    running.push(this);
    const output = this.child.stdout;
    if (output === null) throw new Error('the process has no output');
    createInterface({ input: output }).on('line', (line) => {
      this.lines.push(line);
      this.#look();
    });
    this.ended = new Promise((done) => this.child.once('close', (code) => done(code)));
  }

  /** Resolves with the first line that holds the text. */
  line(text: string): Promise<string> {
    return new Promise((done, fail) => {
      this.#look = () => {
        const found = this.lines.find((line) => line.includes(text));
        if (found !== undefined) done(found);
      };
      void this.ended.then((code) =>
        fail(new Error(`it ended with ${code} before "${text}": ${this.lines.join('\n')}`)),
      );
      this.#look();
    });
  }

  end(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.ended;
  }
}

describe.skipIf(why)(`the containers, as processes on loopback${why ? ` (${why})` : ''}`, () => {
  it('share one trial: the fix that two agents confirm together reaches both, and all end without a loss', async () => {
    const { services } = parse(readFileSync(join(FOLDER, 'compose.yaml'), 'utf8'), { merge: true });
    const port = String(await freePort());
    const store = { RSI_STORE: server.address('admin').replace(/:[^:@]*@/, '@'), PGPASSWORD: 'p@ss' };
    const secrets = { RSI_TOKEN: 'token-of-the-test', RSI_DECISION_TOKEN: 'decision-of-the-test' };
    const start = (name: string, more: Readonly<Record<string, string>> = {}, args: readonly string[] = []) => {
      const { command, environment } = services[name];
      const { RSI_STORE, PGPASSWORD, RSI_TOKEN, RSI_DECISION_TOKEN, ...own } = environment;
      return new Container([...command, ...args], { ...own, ...store, ...more });
    };

    expect(await start('migrate').ended).toBe(0);
    const hub = start('hub', secrets, ['--port', port, '--cycle', '1']);
    await hub.line(`:${port}`);
    const check = new Container(['node', '/app/healthy.mjs'], { ...secrets, PORT: port });
    expect(await check.ended).toBe(0);

    // More work in less time than in the file.
    const fast = { CALLERS: '12', CYCLE_MS: '300' };
    const old = start('agent-old', { ...fast, HOSTNAME: 'one' });
    const recent = start('agent-new', { ...fast, HOSTNAME: 'two' });
    await Promise.all([old.line('"retries":2'), recent.line('"retries":2')]);
    // A new release takes the place of the old one, one after another, and keeps what was proven.
    const next = start('agent-new', { ...fast, HOSTNAME: 'three', VERSION: '1.4.3' });
    await next.line('"retries":2');
    expect(await Promise.all([old.end(), recent.end(), next.end()])).toEqual([0, 0, 0]);
    for (const agent of [old, recent, next]) expect(agent.lines.at(-1)).toContain('"ended":true');
    expect(await hub.end()).toBe(0);
    const off = new Container(['node', '/app/healthy.mjs'], { ...secrets, PORT: port });
    expect(await off.ended).toBe(1);

    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query(
      `select record->>'version' as version, count(*)::int as tasks, count(distinct writer)::int as writers
       from rsi.outcomes group by 1 order by 1`,
    );
    await client.end();
    expect(rows.map(({ version, writers }) => [version, writers])).toEqual([
      ['1.4.1', 1],
      ['1.4.2', 1],
      ['1.4.3', 1],
    ]);
    const after = new PostgresStore({ url: server.url, readOnly: true });
    const trialWriters = new Set<string>();
    const confirmed: string[] = [];
    for await (const { writer, record } of after.journal.read()) if (record.kind === 'start') trialWriters.add(writer);
    for await (const { entry } of after.ledger.read()) {
      if (entry.kind === 'fix-moved' && entry.to === 'confirmed') confirmed.push(entry.fixId);
    }
    await after.close();
    expect(trialWriters.size).toBeGreaterThanOrEqual(2);
    expect(new Set(confirmed).size).toBe(1);
  }, 150_000);
});
