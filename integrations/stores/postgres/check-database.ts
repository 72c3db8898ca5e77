import type { Store } from 'rsi-loop';
import { readFailedCycles, type StoreCheck } from 'rsi-loop/node';
import type { Database } from './database.js';

/** Parts of a store that the checks read, and its database. Each check is a query. */
interface Checked {
  readonly store: Pick<Store, 'ledger' | 'snapshots' | 'coordination'>;
  readonly database: Database;
}

/** Difference to the clock of the server that needs attention. */
const SKEW_MS = 60_000;
/** Longest time that records may wait while a process writes and no cycle reads them. */
const LONGEST_WAIT_MS = 3_600_000;
/** Share of records that a server may have rejected. */
const MOST_REJECTED = 0.01;

/** Checks a database: version, rights, the chain of decisions, records, cycles, leases, clocks. Changes nothing. */
export async function checkDatabase(checked: Checked): Promise<readonly StoreCheck[]> {
  const checks = [
    serverCheck,
    settingsCheck,
    rightsCheck,
    ledgerCheck,
    journalCheck,
    cyclesCheck,
    leaseCheck,
    processCheck,
    clockCheck,
  ];
  const found: StoreCheck[] = [];
  for (const check of checks) found.push(await check(checked));
  return found;
}

async function serverCheck({ database }: Checked): Promise<StoreCheck> {
  const [row] = await database.query<{ version: string; tls: boolean; size: string }>(
    `select current_setting('server_version') as version,
      coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as tls,
      pg_size_pretty(sum(pg_total_relation_size(oid))) as size
     from pg_class where relnamespace = $1::regnamespace and relkind = 'r'`,
    [database.schema],
  );
  const tls = row?.tls ? 'with TLS' : 'without TLS';
  return fine(
    'server',
    `PostgreSQL ${row?.version} at ${database.place.server}, ${tls}, ${row?.size} in schema ${database.schema}`,
  );
}

/** Settings without which records that the server committed can be lost or damaged in a crash of its machine. */
async function settingsCheck({ database }: Checked): Promise<StoreCheck> {
  const [row] = await database.query<{ fsync: string; pages: string; commit: string }>(
    `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
      current_setting('synchronous_commit') as commit`,
  );
  const off = [...(row?.fsync === 'off' ? ['fsync'] : []), ...(row?.pages === 'off' ? ['full_page_writes'] : [])];
  if (off.length > 0) {
    const found = `${off.join(' and ')} off: records that were acknowledged can be lost if the machine fails`;
    return attention('settings', found, `set ${off.map((name) => `${name} = on`).join(' and ')} in postgresql.conf`);
  }
  const why = row?.commit === 'off' ? ', although synchronous_commit is off for this login' : '';
  return fine('settings', `records and decisions wait for the disk${why}`);
}

async function rightsCheck({ database }: Checked): Promise<StoreCheck> {
  const [row] = await database.query<{ role: string; records: boolean; decides: boolean; owner: boolean }>(
    `select current_user as role, has_table_privilege($1, 'insert') as records,
      has_table_privilege($2, 'update') as decides, has_table_privilege($3, 'update') as owner`,
    ['journal', 'head', 'retention'].map((table) => `${database.schema}.${table}`),
  );
  const { role = '', records, decides, owner } = row ?? {};
  if (owner) return fine('rights', `${role} owns the schema: it may record, decide, erase and migrate`);
  if (records && decides) return fine('rights', `${role} may record and decide`);
  if (decides) return fine('rights', `${role} may decide, and not record`);
  const advice = 'for a process that records, run the script of "rsi store roles" and grant its role';
  return attention('rights', `${role} may only read`, advice);
}

async function ledgerCheck({ store }: Checked): Promise<StoreCheck> {
  const { length, broken } = await store.ledger.head();
  if (broken === undefined) return fine('ledger', length === 0 ? 'empty' : `${length} entries, an unbroken chain`);
  return attention(
    'ledger',
    `${length} entries: ${broken}`,
    'decisions were changed outside the loop: compare them with a backup before you trust them',
  );
}

async function journalCheck({ database }: Checked): Promise<StoreCheck> {
  const { schema } = database;
  const [row] = await database.query<{ outcomes: number; starts: number; writers: number; days: number }>(
    `select count(*) filter (where kind = 'outcome')::float8 as outcomes,
      count(*) filter (where kind = 'start')::float8 as starts, count(distinct writer)::float8 as writers,
      (select count(*) from pg_inherits where inhparent = $1::regclass)::float8 as days from ${schema}.journal`,
    [`${schema}.journal`],
  );
  const missing = await missingOf({ database });
  if (missing > 0) {
    const advice = 'restore the table journal from a backup, or find who deleted rows of it';
    return attention('journal', `${missing} records that cycles counted are missing`, advice);
  }
  if (row === undefined || row.outcomes + row.starts === 0) return fine('journal', 'empty');
  return fine(
    'journal',
    `${row.outcomes} outcomes and ${row.starts} starts of ${row.writers} ${row.writers === 1 ? 'process' : 'processes'}, in partitions of ${row.days} days`,
  );
}

/**
 * Returns the number of records that cycles counted, of processes that started within a day, and that are neither stored
 * nor erased. Retention keeps a day at least.
 */
async function missingOf({ database }: Pick<Checked, 'database'>): Promise<number> {
  const { schema } = database;
  const [row] = await database.query<{ counted: number; held: number; erased: number }>(
    `with last as (select content->'read' as read from ${schema}.ledger where kind = 'cycle' order by position desc limit 1)
     select coalesce(sum(upto.value::float8), 0) as counted, coalesce(sum((
         select count(*) from ${schema}.journal as stored where stored.writer = own.writer and stored.position < upto.value::bigint
       )), 0)::float8 as held,
       (select coalesce(sum((content->>'records')::float8), 0) from ${schema}.ledger
         where kind = 'erased' and at > now() - interval '1 day') as erased
     from last cross join lateral jsonb_each_text(last.read) as upto
     join ${schema}.writer as own on own.writer = upto.key where own.started_at > now() - interval '1 day'`,
  );
  const { counted = 0, held = 0, erased = 0 } = row ?? {};
  const missing = counted - held - erased;
  // A record that the server rejected leaves a gap too, and was reported.
  return missing > counted * MOST_REJECTED ? missing : 0;
}

async function cyclesCheck({ store, database }: Checked): Promise<StoreCheck> {
  const failed = await readFailedCycles(store.snapshots);
  if (failed && failed.count > 0) {
    const found = `${failed.count} in a row of ${failed.writer} failed: ${failed.why}`;
    return attention('cycles', found, 'nothing is decided until a cycle ends: repair the named cause');
  }
  const { schema } = database;
  const [row] = await database.query<{ last: Date | null; late: boolean }>(
    `select max(at) as last, coalesce(max(at) < now() - make_interval(secs => $1), true)
       and exists (select from ${schema}.journal where at < now() - make_interval(secs => $1)
         and at > coalesce((select max(at) from ${schema}.ledger where kind = 'cycle'), '-infinity')) as late
     from ${schema}.ledger where kind = 'cycle'`,
    [LONGEST_WAIT_MS / 1_000],
  );
  const last = row?.last ? `the last took in records on ${row.last.toISOString()}` : 'no cycle took in records yet';
  if (!row?.late) return fine('cycles', last);
  const advice =
    'records wait, but no cycle runs: call loop.start() or runCycle() in a process, or look at its problem events';
  return attention('cycles', last, advice);
}

async function leaseCheck({ database }: Checked): Promise<StoreCheck> {
  const rows = await database.query<{ name: string; held: boolean }>(
    `select name, expires_at > now() as held from ${database.schema}.lease where owner <> '' order by name`,
  );
  const named = (held: boolean) =>
    rows
      .filter((row) => row.held === held)
      .map(({ name }) => name)
      .join(', ');
  if (named(true) !== '') return fine('lease', `${named(true)} held by a process that runs`);
  return fine(
    'lease',
    named(false) === '' ? 'free' : `${named(false)} left by a process that ended; the next takes it over`,
  );
}

async function processCheck({ store }: Checked): Promise<StoreCheck> {
  const { length } = await store.coordination.writers();
  return fine('processes', length === 0 ? 'none writes now' : `${length} ${length === 1 ? 'writes' : 'write'} now`);
}

async function clockCheck({ database }: Checked): Promise<StoreCheck> {
  const beforeMs = Date.now();
  const [row] = await database.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  const aheadMs = (beforeMs + Date.now()) / 2 - (row?.ms ?? 0);
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const found = `${seconds} seconds ${aheadMs >= 0 ? 'ahead of' : 'behind'} the server`;
  if (Math.abs(aheadMs) < SKEW_MS) return fine('clock', seconds === 0 ? 'that of the server' : found);
  return attention(
    'clock',
    found,
    'set the clocks of the machines (NTP): times decide what is recent and what is over',
  );
}

function fine(name: string, found: string): StoreCheck {
  return { name, ok: true, found };
}

function attention(name: string, found: string, advice: string): StoreCheck {
  return { name, ok: false, found, advice };
}
