import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, PostgresStore } from 'rsi-loop/stores/postgres';
import type { StoreProblem } from 'rsi-loop/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { all, range, sampleOutcome } from '../../../src/testing/sample-records.js';
import { giveTo, newSchema, type PostgresServer, serverUser, startPostgres, whyNoPostgres } from './postgres-server.js';

const SMALL = 'size=12m';
let disk: string;
let why = whyNoPostgres();
let server: PostgresServer;

function mount(...args: readonly string[]): boolean {
  return spawnSync('mount', args, { stdio: 'ignore' }).status === 0;
}

beforeAll(async () => {
  disk = mkdtempSync(join(tmpdir(), 'rsi-disk-'));
  if (why === undefined && !mount('-t', 'tmpfs', '-o', SMALL, 'tmpfs', disk)) why = 'this user may not mount a disk';
  if (why !== undefined) return;
  giveTo(serverUser(), [disk]);
  server = await startPostgres();
});
afterAll(async () => {
  await server?.stop();
  spawnSync('umount', [disk], { stdio: 'ignore' });
  rmSync(disk, { recursive: true, force: true });
});

describe.skipIf(why)(`a PostgreSQL store on a small disk${why ? ` (${why})` : ''}`, () => {
  it('keeps records in memory while the disk is full, says so, and stores each once when there is space', async (test) => {
    if (why !== undefined) return test.skip(why);
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query(`create tablespace small location '${disk}'`);
    await admin.query('alter database postgres set default_tablespace = small');
    await admin.end();
    const schema = newSchema();
    await migrate({ url: server.url, schema });
    const store = new PostgresStore({ url: server.url, schema, flushMs: 0 });
    const problems: StoreProblem[] = [];
    store.onProblem((problem) => problems.push(problem));
    let count = 0;
    let failure: unknown;
    while (failure === undefined) {
      const context = { note: 'x'.repeat(2_000 - (count % 7)) };
      store.journal.append(range(200).map((number) => sampleOutcome(count + number, { context })));
      count += 200;
      failure = await store.journal.flush().catch((error: unknown) => error);
    }
    expect(String(failure)).toMatch(
      /No space left on device.*the disk of the server is full: free space there; \d+ records wait/,
    );
    store.journal.append([sampleOutcome(count++)]);
    expect(store.journal.queued).toBeGreaterThan(0);
    expect(problems.map(({ kind }) => kind)).toEqual(['failing']);

    expect(mount('-o', 'remount,size=256m', disk)).toBe(true);
    while (store.journal.queued > 0) await store.journal.flush().catch(() => undefined);
    expect((await all(store.journal.read())).map(({ position }) => position)).toEqual(range(count));
    await store.close();
  });
});
