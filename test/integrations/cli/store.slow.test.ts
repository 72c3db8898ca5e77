import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { FileStore } from 'rsi-loop/node';
import { PostgresStore } from 'rsi-loop/stores/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hash } from '../../../integrations/sources/hash.js';
import { sampleOutcome } from '../../../src/testing/sample-records.js';
import { startUntilReady } from '../../run-node.js';
import { newSchema, type PostgresServer, startPostgres, whyNoPostgres } from '../stores/postgres-server.js';
import { buildCommand, writePage } from './build-command.js';
import { runCommand } from './run-command.js';
import { scriptFolder } from './scripted-folder.js';

const why = whyNoPostgres();
const folder = mkdtempSync(join(tmpdir(), 'rsi-store-verb-'));
const data = join(folder, 'data');
let command = '';
let server: PostgresServer;

beforeAll(async () => {
  if (why !== undefined) return;
  command = await buildCommand(folder);
  server = await startPostgres({ isSafe: true });
  await scriptFolder(data);
}, 120_000);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const rsi = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand([command, ...args], { cwd: folder, env: { ...process.env, ...env } });
const place = () => `${server.url}?schema=${newSchema()}`;

describe.skipIf(why)(`rsi with a database${why ? ` (${why})` : ''}`, () => {
  it('copies a loop from a folder to a database and back, with the same chain, and says the same about both', async () => {
    const [database, back] = [place(), join(folder, 'back')];
    const there = await rsi(['store', 'copy', data, database, '--json']);
    expect(there).toMatchObject({ code: 0, stderr: '' });
    const copied = JSON.parse(there.stdout);
    expect(copied.records).toBeGreaterThan(700);
    expect(copied.decisions).toBeGreaterThan(10);
    expect(there.stdout).not.toContain('p%40ss');
    const again = JSON.parse((await rsi(['store', 'copy', database, back, '--json'])).stdout);
    expect(again).toEqual({ ...copied, from: copied.to, to: back });

    const [first, ...others] = await Promise.all(
      [data, back, database].map((store) => rsi(['fixes', '--json', '--store', store])),
    );
    expect(first?.stdout).not.toBe('');
    for (const { stdout } of others) expect(JSON.parse(stdout)).toEqual(JSON.parse(first?.stdout ?? ''));
    const status = await rsi(['status'], { RSI_STORE: database });
    expect(status.stdout).toContain('tries   search');
    expect(status.stdout).not.toContain('p%40ss');
    const doctor = await rsi(['doctor'], { RSI_STORE: database });
    expect(doctor).toMatchObject({ code: 0, stderr: '' });
    expect(doctor.stdout).toContain('an unbroken chain');

    const refused = await rsi(['store', 'copy', data, database]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('holds a loop already');
  });

  it('copies decisions that an erasure changed, and what jsonb cannot hold', async () => {
    const [from, database, back] = [join(folder, 'erased'), place(), join(folder, 'erased-back')];
    const store = new FileStore(from);
    store.journal.append([sampleOutcome(0, { actual: 'Zebediah' }), sampleOutcome(1, { actual: 'a\u0000b\ud800' })]);
    await store.ledger.append(
      [{ kind: 'frozen', atMs: 1, by: 'test', reason: 'Zebediah called' }],
      await store.ledger.head(),
    );
    await store.erase({ text: 'Zebediah' });
    await store.close();
    expect(await rsi(['store', 'copy', from, database])).toMatchObject({ code: 0 });
    expect(await rsi(['store', 'copy', database, back])).toMatchObject({ code: 0 });
    const copy = new FileStore(back);
    expect((await copy.ledger.head()).broken).toBeUndefined();
    for await (const { position, record } of copy.journal.read()) {
      expect({ position, record }).toEqual({ position: 1, record: sampleOutcome(1, { actual: 'a\u0000b\ud800' }) });
    }
    await copy.close();
  });

  it('records, decides and erases in a database', async () => {
    const store = ['--store', place()];
    expect(await rsi(['record', 'deploy', '--error', 'timed out', ...store])).toMatchObject({ code: 0 });
    expect(await rsi(['cycle', ...store])).toMatchObject({ code: 0 });
    expect((await rsi(['patterns', ...store])).stdout).toContain('deploy');
    expect(await rsi(['freeze', '--reason', 'test', ...store])).toMatchObject({ code: 0 });
    expect((await rsi(['erase', '--text', 'timed out', ...store])).stdout).toContain('1 record');
    writeFileSync(join(folder, 'log.jsonl'), '{"task":"import","success":false,"error":"boom"}\n');
    expect((await rsi(['import', 'log.jsonl', ...store])).stdout).toContain('1 outcome written');
  });

  it('reads a dropped file into a database after a watcher was killed, and exports it', async () => {
    const [schema, drop] = [newSchema(), mkdtempSync(join(folder, 'drop-'))];
    const address = `${server.url}?schema=${schema}`;
    const store = ['--store', address];
    await rsi(['store', 'migrate', address]);
    // The server holds the lease of a watcher that was killed until it expires.
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    const lease = [`drop-folder-${hash(drop)}`];
    await admin.query(`insert into ${schema}.lease values ($1, 7, 'gone', now() + interval '3 seconds')`, lease);
    await admin.end();
    writeFileSync(join(drop, 'one.json'), '{"task":"deploy","success":false,"error":"timed out"}');
    const watched = await rsi(['watch', drop, '--once', '--settle', '0', ...store]);
    expect(watched).toMatchObject({ code: 0, stdout: '1 record, 1 file read, 0 rejected\n', stderr: '' });
    expect(readdirSync(join(drop, 'done'))).toEqual(['one.json']);
    const out = join(folder, 'exported.jsonl');
    const exported = await rsi(['export', '--out', out, ...store]);
    expect(exported).toMatchObject({ code: 0, stdout: '', stderr: `1 outcome written to ${out}\n` });
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ task: 'deploy', issues: ['timeout'] });
  });

  it('shows no password, and verbs that need a folder say so and create nothing', async () => {
    const RSI_STORE = place();
    await rsi(['store', 'migrate', RSI_STORE]);
    const here = mkdtempSync(join(folder, 'here-'));
    const inHere = (args: readonly string[]) =>
      runCommand([command, ...args], { cwd: here, env: { ...process.env, RSI_STORE } });
    writePage(folder);
    const page = await startUntilReady([command, 'dashboard', '--port', '0', '--no-open'], {
      cwd: here,
      env: { ...process.env, RSI_STORE },
    });
    expect(page.printed).toContain('dashboard of postgres://admin@127.0.0.1');
    await page.interrupt();
    writeFileSync(join(here, 'AGENTS.md'), '- Be brief.\n');
    for (const args of [
      ['init', '--dry-run'],
      ['prove', 'AGENTS.md'],
      ['install', 'claude', '--store', RSI_STORE],
    ]) {
      const { code, stdout, stderr } = await inHere(args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`rsi ${args[0]} needs a folder, and the store is postgres://admin@127.0.0.1`);
      expect(stderr).not.toContain('p%40ss');
    }
    const hook = await runCommand([command, 'hook', 'claude', '--store', RSI_STORE], { cwd: here, stdin: '{}' });
    expect(hook).toMatchObject({ code: 0, stdout: '{}\n' });
    expect(hook.stderr).toContain('--store names a database: name a folder');
    await inHere(['services', 'status']);
    expect(readdirSync(here)).toEqual(['AGENTS.md']);
  });

  it('lets a role with few rights record and decide, and neither erase nor edit', async () => {
    const [schema, admin] = [newSchema(), new pg.Client({ connectionString: server.url })];
    const migrated = await rsi(['store', 'migrate', `${server.url}?schema=${schema}`]);
    expect(migrated.stdout).toContain('created in version 3');
    const { stdout } = await rsi(['store', 'roles', '--schema', schema]);
    await admin.connect();
    await admin.query(stdout);
    await admin.query(`create role ${schema}_one login password 'p@ss' in role ${schema}_agent`);
    await admin.end();
    const store = new PostgresStore({ url: server.address(`${schema}_one`), schema });
    store.journal.append([sampleOutcome(0)]);
    await store.journal.flush();
    const lease = await store.coordination.lease('cycle');
    expect(await lease?.held()).toBe(true);
    const entry = { kind: 'frozen', atMs: 1, by: 'test', reason: 'test' } as const;
    expect((await store.ledger.append([entry], await store.ledger.head())).kind).toBe('ok');
    expect(await store.snapshots.save('loop', { a: 1 }, 0)).toBe(true);
    expect(await store.snapshots.save('loop', { a: 2 }, 1)).toBe(true);
    await store.coordination.writers();
    await expect(store.erase({ text: 'boom' })).rejects.toThrow('permission denied');
    await store.close();
  });

  it('ends with a sentence for wrong input', async () => {
    const wrong = { action: ['store', 'sell'], one: ['store', 'copy', data], folder: ['store', 'migrate', data] };
    expect((await rsi(wrong.action)).stderr).toContain('give one of migrate, roles, copy, upgrade');
    expect((await rsi(wrong.one)).stderr).toContain('copy needs two places');
    expect((await rsi(['store', 'upgrade', data])).stderr).toContain('is of format 2 already');
    expect((await rsi(wrong.folder)).stderr).toContain('is a folder, which needs no migration');
    const refused = await rsi(['status', '--store', server.url.replace('p%40ss', 'secret')]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('correct the user or the password in url');
    expect(refused.stderr).not.toContain('secret');
    expect((await rsi(['status', '--store', place()])).stderr).toContain('holds no loop');
    const folderOnly = await rsi(['services', 'status', '--store', server.url]);
    expect(folderOnly.stderr + folderOnly.stdout).not.toContain('p%40ss');
  });
});
