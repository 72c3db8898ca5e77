import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { mark, type OutcomeId, RSILoop } from 'rsi-loop';
import { PostgresStore } from 'rsi-loop/stores/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchRecord } from './bench-record.js';
import { newSchema, type PostgresServer, startPostgres, whyNoPostgres } from './postgres-server.js';

const why = whyNoPostgres();
let server: PostgresServer;
let client: pg.Client;

beforeAll(async () => {
  if (why !== undefined) return;
  server = await startPostgres();
  client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const store = new PostgresStore({ url: server.url });
  for (let number = 0; number < 100; number++) {
    const { kind, outcome } = benchRecord(number);
    const more = { atMs: Date.now() - number, costUsd: 0.01, tokens: { input: 100, output: 10 } };
    store.journal.append([{ kind, outcome: { ...outcome, ...more } }]);
  }
  await store.journal.flush();
  await store.close();
});
afterAll(async () => {
  await client?.end();
  await server?.stop();
});

describe.skipIf(why)(`the queries of docs/postgres.md${why ? ` (${why})` : ''}`, () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/postgres.md'), 'utf8');
  const queries = [...page.matchAll(/^```sql\n(.*?)^```/gms)].map(([, sql = '']) => sql);

  it('are five, and each runs', async () => {
    expect(queries).toHaveLength(5);
    await client.query("delete from rsi.journal where record->>'id' = 'sampled'");
    const found = [];
    for (const sql of queries) found.push((await client.query(sql)).rows);
    expect(found[0]).toEqual([{ task: 'api_call', issue: 'rate_limit', failures: '20' }]);
    expect(found[2]).toMatchObject([{ task: 'api_call', model: 'sonnet', tasks: '100' }]);
    expect(found[3]).toMatchObject([{ model: 'sonnet', input_tokens: '10000' }]);
    expect(found[4]).toEqual([]);
  });
});

/** Query of a Grafana panel, with its macros replaced as Grafana does it for the last 400 days and an hour. */
function queryOf(rawSql: string): string {
  return rawSql
    .replace(/\$__timeFilter\((\w+)\)/g, "$1 between now() - interval '400 days' and now() + interval '1 hour'")
    .replace(/\$__timeGroupAlias\((\w+), \$__interval\)/g, 'floor(extract(epoch from $1) / 3600) * 3600 as "time"');
}

interface Grafana {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly rawSql: string }[] }[];
  readonly annotations: { readonly list: readonly { readonly rawSql: string }[] };
}

describe.skipIf(why)('the dashboard for Grafana', () => {
  const file = resolve(import.meta.dirname, '../../../deploy/grafana/rsi-loop.json');
  const { panels, annotations }: Grafana = JSON.parse(readFileSync(file, 'utf8'));

  it('has queries that run, and count sampled outcomes by their weight', async () => {
    const loop = new RSILoop({ store: new PostgresStore({ url: server.url }) });
    await loop.ready();
    const { outcome } = benchRecord(1_001);
    const { id: _, ...fields } = outcome;
    // An id of the test's own.
    loop.observer.take({
      ...fields,
      id: 'sampled' as OutcomeId,
      atMs: Date.now(),
      weight: 900,
      version: '1.4.2',
      region: 'eu-3',
    });
    await mark(loop, 'deploy', '1.4.2');
    await loop.close();
    const rows = new Map<string, readonly Readonly<Record<string, unknown>>[]>();
    for (const { title, targets } of panels) {
      for (const { rawSql } of targets) rows.set(title, (await client.query(queryOf(rawSql))).rows);
    }
    expect([...rows.keys()]).toHaveLength(7);
    const tasks = (rows.get('Tasks') ?? []).reduce((sum, { tasks: count }) => sum + Number(count), 0);
    expect(tasks).toBe(1_000);
    expect(rows.get('Failure rate by release and region')).toContainEqual(
      expect.objectContaining({ version: '1.4.2', region: 'eu-3', tasks: 900 }),
    );
    expect(rows.get('What fails most')?.[0]).toMatchObject({ task: 'api_call', issue: 'rate_limit', failures: 20 });
    const marks = (await client.query(queryOf(annotations.list[0]?.rawSql ?? ''))).rows;
    expect(marks).toMatchObject([{ text: '1.4.2', tags: 'deploy' }]);
  });
});

describe.skipIf(why)('the partitions of days', () => {
  it('are created ahead, and emptied and dropped when they are old, while records are written', async () => {
    const schema = newSchema();
    const store = new PostgresStore({ url: server.url, schema });
    await store.ledger.head();
    await client.query(
      `create table ${schema}.journal_20200101 (like ${schema}.journal including defaults including generated)`,
    );
    await client.query(
      `alter table ${schema}.journal attach partition ${schema}.journal_20200101 for values from ('2020-01-01') to ('2020-01-02')`,
    );
    await client.query(
      `insert into ${schema}.journal (day, writer, position, kind, record) values ('2020-01-01', 'old', 0, 'outcome', '{}')`,
    );
    const days = async () =>
      (
        await client.query(
          `select count(*)::int as days from pg_inherits where inhparent = '${schema}.journal'::regclass`,
        )
      ).rows[0].days;
    expect(await days()).toBe(4);
    const drop = async () => (await client.query(`select ${schema}.drop_days(30) as emptied`)).rows[0].emptied;
    // A reader holds a lock on every partition: emptying waits for the next call.
    const reader = new pg.Client({ connectionString: server.url });
    await reader.connect();
    await reader.query('begin');
    await reader.query(`select count(*) from ${schema}.journal`);
    expect(await drop()).toBe(0);
    store.journal.append([benchRecord(1_000)]);
    await store.journal.flush();
    await reader.query('commit');
    await reader.end();
    expect(await drop()).toBe(1);
    expect(await drop()).toBe(0);
    expect(await days()).toBe(3);
    await store.close();
  });
});
