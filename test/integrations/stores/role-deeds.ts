import pg from 'pg';
import { PostgresStore, roleScript } from 'rsi-loop/stores/postgres';
import { sampleOutcome } from '../../../src/testing/sample-records.js';
import { newSchema, type PostgresServer } from './postgres-server.js';

export const ROLES = ['recorder', 'decider', 'agent', 'reader'] as const;
export type Role = (typeof ROLES)[number];

/** Schema of a loop, with a login for each role. */
export interface RoleWorld {
  readonly server: PostgresServer;
  readonly schema: string;
}

export const placeOf = ({ server, schema }: RoleWorld, role: Role) => ({
  url: server.address(`${schema}_${role}_login`),
  schema,
});

/** Creates a schema whose process `other`, of the owner, wrote a record and a decision, and a login for each role. */
export async function createRoles(server: PostgresServer): Promise<RoleWorld> {
  const schema = newSchema();
  const { journal, ledger, coordination, ...owner } = openOwner(server, schema);
  journal.append([sampleOutcome(0)]);
  await journal.flush();
  await ledger.append([{ kind: 'frozen', atMs: 1, by: 'owner', reason: 'test' }], await ledger.head());
  const lease = await coordination.lease('cycle');
  await lease?.release();
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(roleScript(schema));
  for (const role of ROLES)
    await admin.query(`create role ${schema}_${role}_login login password 'p@ss' in role ${schema}_${role}`);
  await admin.end();
  await owner.close();
  return { server, schema };
}

function openOwner(server: PostgresServer, schema: string) {
  const store = new PostgresStore({ url: server.url, schema, writer: 'other' });
  const { journal, ledger, coordination } = store;
  return { journal, ledger, coordination, close: () => store.close() };
}

/** Statements that a login may try by hand. Each adds its own row of `writer` first if that is allowed. */
export const DEEDS: Readonly<Record<string, { readonly sql: string; readonly by: readonly Role[] }>> = {
  'add an outcome of its own': { sql: journalRow('mine', 'outcome'), by: ['recorder', 'agent'] },
  'add a start of its own': { sql: journalRow('mine', 'start'), by: ['agent'] },
  'add an outcome under the name of another process': { sql: journalRow('other', 'outcome'), by: [] },
  'count as a living process': {
    sql: `insert into $s.writer (writer, host, pid, watermark_ms) values ('alive', 'h', 1, 0)`,
    by: ['decider', 'agent'],
  },
  'mark another process as ended': {
    sql: `update $s.writer set ended_at = now() where writer = 'other' returning 1`,
    by: [],
  },
  'raise the count of another process': {
    sql: `update $s.writer set written = 99 where writer = 'other' returning 1`,
    by: [],
  },
  'take over the name of another process': {
    sql: `update $s.writer set login = session_user where writer = 'other' returning 1`,
    by: [],
  },
  'read records': { sql: 'select record from $s.journal', by: ['decider', 'agent', 'reader'] },
  'read decisions': { sql: 'select entry from $s.ledger', by: ['decider', 'agent', 'reader'] },
  'add a decision': {
    sql: `insert into $s.ledger (position, previous, hash, entry, content, token) values (9, '', '', '', '{}', '')`,
    by: ['decider', 'agent'],
  },
  'move the head': { sql: 'update $s.head set length = length returning 1', by: ['decider', 'agent'] },
  'take a lease': { sql: `update $s.lease set owner = 'me' returning 1`, by: ['decider', 'agent'] },
  'save state': { sql: `insert into $s.snapshot values ('loop', 1, '', '')`, by: ['decider', 'agent'] },
  'edit a record': { sql: `update $s.journal set kind = 'outcome' returning 1`, by: [] },
  'delete a record': { sql: 'delete from $s.journal', by: [] },
  'edit a decision': { sql: `update $s.ledger set entry = '' returning 1`, by: [] },
  'delete a decision': { sql: 'delete from $s.ledger', by: [] },
  'delete the records of all days but one': { sql: 'select $s.drop_days(1)', by: [] },
  'shorten the days that records are kept': { sql: 'update $s.retention set days = 1 returning 1', by: [] },
  'apply the days that the owner set': { sql: 'select $s.drop_days()', by: ['decider', 'agent'] },
  'create a table': { sql: 'create table $s.mine ()', by: [] },
};

function journalRow(writer: string, kind: string): string {
  return `insert into $s.journal (day, writer, position, kind, record)
    values ((now() at time zone 'UTC')::date, '${writer}', 5, '${kind}', '{}')`;
}

/** Returns whether the server let the login do it: no error, and no row left out. */
export async function mayDo({ server, schema }: RoleWorld, role: Role, sql: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: server.address(`${schema}_${role}_login`) });
  await client.connect();
  try {
    await client.query('begin');
    const added = `insert into ${schema}.writer (writer, host, pid, watermark_ms, ended_at) values ('mine', 'h', 1, 0, now())`;
    await client.query(`savepoint own; ${added}`).catch(() => client.query('rollback to own'));
    const { rowCount } = await client.query(sql.replaceAll('$s', schema));
    return rowCount !== 0;
  } catch (error) {
    if (/permission denied|row-level security/.test(String(error))) return false;
    throw error;
  } finally {
    await client.end();
  }
}

/** Lets each role try each deed. An escape is one that it may not do and did. */
export async function tryDeeds(server: PostgresServer): Promise<{ tried: number; escapes: number; broken: string[] }> {
  const world = await createRoles(server);
  const broken: string[] = [];
  let tried = 0;
  let escapes = 0;
  for (const [name, { sql, by }] of Object.entries(DEEDS)) {
    for (const role of ROLES) {
      tried++;
      const did = await mayDo(world, role, sql);
      if (did === by.includes(role)) continue;
      if (did) escapes++;
      broken.push(`a ${role} ${did ? 'could' : 'could not'} ${name}`);
    }
  }
  return { tried, escapes, broken };
}
