import pg from 'pg';
import { migrate, roleScript } from 'rsi-loop/stores/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateSchema } from '../../../integrations/stores/postgres/migrate.js';
import { MIGRATIONS } from '../../../integrations/stores/postgres/migrations.js';
import { newSchema, type PostgresServer, startPostgres, whyNoPostgres } from './postgres-server.js';

const why = whyNoPostgres();
let server: PostgresServer;
let admin: pg.Pool;

beforeAll(async () => {
  if (why !== undefined) return;
  server = await startPostgres();
  admin = new pg.Pool({ connectionString: server.url });
});
afterAll(async () => {
  await admin?.end();
  await server?.stop();
});

/** Function with its owner's rights that an agent may call. */
interface Definer {
  readonly call: string;
  /** Text of all functions of the schema, which it may call in turn. */
  readonly source: string;
}

/** Returns every function of a schema that runs with its owner's rights, and that the role of an agent may call. */
async function definersOf(schema: string): Promise<readonly Definer[]> {
  const { rows } = await admin.query<{ name: string; args: string; source: string }>(
    `select proname as name, pg_get_function_identity_arguments(oid) as args, source
     from (select p.oid, proname, prosecdef, string_agg(pg_get_functiondef(p.oid), ' ') over () as source
       from pg_proc p join pg_namespace n on n.oid = pronamespace where nspname = $1) as functions
     where prosecdef and has_function_privilege($2, oid, 'execute')`,
    [schema, `${schema}_agent`],
  );
  return rows.map(({ name, args, source }) => ({
    call: `${schema}.${name}(${args === '' ? '' : '10000'})`,
    source,
  }));
}

/** Calls a function as a role that planted everything its text could find. Returns the error, or `''`. */
async function callAmongPlants(schema: string, { call, source }: Definer, place: string): Promise<string> {
  const agent = new pg.Client({ connectionString: server.address(`planter_${schema}`) });
  await agent.connect();
  try {
    await agent.query('begin');
    await agent.query((await plantsIn(place, source)).join(';\n'));
    await agent.query(`select ${call}`);
    return '';
  } catch (error) {
    return String(error);
  } finally {
    await agent.end();
  }
}

async function addPlanter(schema: string, grants = roleScript(schema)): Promise<void> {
  await admin.query(grants);
  await admin.query(`create role planter_${schema} login password 'p@ss' in role ${schema}_agent`);
  await admin.query('grant create on schema public to public');
}

describe.skipIf(why)(`functions with the owner's rights${why ? ` (${why})` : ''}`, () => {
  it('never run code that an agent plants in pg_temp or public, whatever type, function or operator', async () => {
    const schema = newSchema();
    await migrate({ url: server.url, schema });
    await addPlanter(schema);
    const definers = await definersOf(schema);
    expect(definers.map(({ call }) => call).sort()).toEqual([`${schema}.drop_days()`, `${schema}.ensure_days()`]);
    for (const definer of definers) {
      for (const place of ['pg_temp', 'public']) {
        expect(await callAmongPlants(schema, definer, place), `${definer.call} with plants in ${place}`).toBe('');
      }
      expect((await plantsIn('pg_temp', definer.source)).length).toBeGreaterThan(100);
    }
  });

  it('ran it in the version before', async () => {
    const schema = newSchema();
    const client = await admin.connect();
    await migrateSchema(client, schema, MIGRATIONS.slice(0, 1));
    client.release();
    const grants = `create role ${schema}_agent; grant usage on schema ${schema} to ${schema}_agent;
      grant execute on function ${schema}.ensure_days(), ${schema}.drop_days(int) to ${schema}_agent`;
    await addPlanter(schema, grants);
    for (const definer of await definersOf(schema)) {
      expect(await callAmongPlants(schema, definer, 'pg_temp')).toContain('planted code ran as admin');
    }
  });

  it('are mended in a schema of the version before', async () => {
    const schema = newSchema();
    const client = await admin.connect();
    await migrateSchema(client, schema, MIGRATIONS.slice(0, 1));
    client.release();
    expect(await migrate({ url: server.url, schema })).toEqual({ from: 1, to: MIGRATIONS.length });
    const { rows } = await admin.query<{ config: readonly string[] }>(
      `select proconfig as config from pg_proc p join pg_namespace n on n.oid = pronamespace where nspname = $1`,
      [schema],
    );
    expect(rows).toHaveLength(4);
    for (const { config } of rows) expect(config).toEqual(['search_path=pg_catalog, pg_temp']);
  });
});

/**
 * Returns statements that plant each type, function and operator of PostgreSQL that a text can name. Each fails if
 * another role runs it.
 */
async function plantsIn(place: string, source: string): Promise<readonly string[]> {
  const body = `$$ begin
    if current_user <> session_user then raise exception 'planted code ran as %', current_user; end if;
    RESULT
  end $$`;
  const planted = (name: string, args: readonly string[], returns: string, result = 'return null;') =>
    `create function ${place}.${name}(${args.join(', ')}) returns ${returns} language plpgsql as ${body.replace('RESULT', result)}`;
  const named = (name: string) => new RegExp(`\\b${name}\\b`).test(source);
  const types = await namesOf(`select typname from pg_type where typnamespace = 'pg_catalog'::regnamespace
    and typtype = 'b' and typcategory <> 'A' and typname !~ '^_'`);
  const functions = (await signatures('proname', 'pg_proc', 'proargtypes::oid[]')).filter(({ name }) => named(name));
  const operators = (await signatures('oprname', 'pg_operator', 'array[oprleft, oprright]')).filter(({ name }) =>
    source.includes(name),
  );
  return [
    ...functions.map(({ name, args }) => planted(name, args, 'pg_catalog.text')),
    ...operators.flatMap(({ name, args: [left = '', right = ''] }, index) => [
      planted(`operated_${index}`, [left, right], 'pg_catalog.bool'),
      `create operator ${place}.${name} (leftarg = ${left}, rightarg = ${right}, function = ${place}.operated_${index})`,
    ]),
    // Last, because the statements above would find them.
    ...types
      .filter(named)
      .flatMap((type) => [
        planted(`noted_${type}`, [`pg_catalog.${type}`], 'pg_catalog.bool', 'return true;'),
        `create domain ${place}.${type} as pg_catalog.${type} check (${place}.noted_${type}(value))`,
      ]),
  ];
}

async function namesOf(sql: string): Promise<readonly string[]> {
  const { rows } = await admin.query<{ typname: string }>(sql);
  return rows.map(({ typname }) => typname);
}

/** Returns the functions or operators of PostgreSQL, with the types of their arguments. `any` and its like become text. */
async function signatures(
  name: string,
  table: string,
  args: string,
): Promise<readonly { readonly name: string; readonly args: readonly string[] }[]> {
  const { rows } = await admin.query<{ name: string; args: readonly string[] }>(
    `select distinct ${name} as name, (select array_agg(case typtype when 'p' then 'pg_catalog.text'
       else 'pg_catalog.' || quote_ident(typname) end order by at) from unnest(${args}) with ordinality as a (type, at)
       join pg_type t on t.oid = type) as args
     from ${table} where ${table === 'pg_proc' ? "prokind = 'f'" : 'oprleft <> 0 and oprright <> 0'}`,
  );
  return rows.map((row) => ({ name: row.name, args: row.args ?? [] }));
}
