/** Creates one version of the schema from the one before. `$schema` is the name of the schema. */
export type Migration = string;

/** Tables of version 1. */
const TABLES = `
create table $schema.meta (
  one boolean primary key default true check (one),
  product text not null default 'rsi-loop',
  version int not null,
  changed_at timestamptz not null default now()
);

-- One row per process that writes. "written" is the number of records that are safe, which only its writer raises.
create table $schema.writer (
  writer text collate "C" primary key,
  host text not null,
  pid int not null,
  started_at timestamptz not null default now(),
  beat_at timestamptz not null default now(),
  ended_at timestamptz,
  watermark_ms float8 not null,
  written bigint not null default 0
) with (fillfactor = 50);

-- "raw" is the exact text of a record that jsonb cannot hold, such as one with U+0000; "record" then lacks it.
create table $schema.journal (
  day date not null,
  writer text collate "C" not null,
  position bigint not null,
  kind text not null,
  record jsonb not null,
  raw text,
  task text generated always as (record->>'task') stored,
  at timestamptz generated always as (to_timestamp((record->>'atMs')::float8 / 1000)) stored,
  success boolean generated always as ((record->>'success')::boolean) stored,
  issue text generated always as (record->'issues'->>0) stored,
  session text generated always as (record->>'session') stored,
  model text generated always as (record->>'model') stored,
  primary key (writer, position, day)
) partition by range (day);
create index journal_at on $schema.journal using brin (at);

create table $schema.ledger (
  position bigint primary key,
  previous text not null,
  hash text not null,
  changed_to text,
  entry text not null,
  content jsonb not null,
  token text not null,
  kind text generated always as (content->>'kind') stored,
  at timestamptz generated always as (to_timestamp((content->>'atMs')::float8 / 1000)) stored
);

-- End of the ledger. Changing this row is the compare-and-set of every decision.
create table $schema.head (
  one boolean primary key default true check (one),
  length bigint not null,
  hash text not null
) with (fillfactor = 50);
insert into $schema.head (length, hash) values (0, '');

create table $schema.snapshot (
  name text primary key,
  version bigint not null,
  token text not null,
  hash text not null,
  saved_at timestamptz not null default now()
);
create table $schema.snapshot_part (
  token text not null,
  part int not null,
  body text not null,
  saved_at timestamptz not null default now(),
  primary key (token, part)
);

create table $schema.lease (
  name text primary key,
  fence bigint not null,
  owner text not null,
  expires_at timestamptz not null
) with (fillfactor = 50);

create view $schema.outcomes as
  select at, task, success, issue, session, model, record->>'agent' as agent, record->>'source' as source,
    (record->>'durationMs')::float8 as duration_ms, (record->>'costUsd')::float8 as cost_usd,
    record->'error'->>'message' as error, record->>'id' as id, record, writer, position
  from $schema.journal where kind = 'outcome';
`;

/**
 * Functions of version 1. They run with the rights of the owner, so that the role of an agent needs none to create or
 * delete tables. A partition is attached, which ingest does not wait for; `create ... partition of` would lock it out.
 */
const FUNCTIONS = `
create function $schema.ensure_days() returns void language plpgsql security definer set search_path = pg_catalog as $body$
declare
  wanted date;
  name text;
begin
  for wanted in select (now() at time zone 'UTC')::date + n from generate_series(0, 2) n loop
    name := 'journal_' || to_char(wanted, 'YYYYMMDD');
    if not exists (select from pg_class where relnamespace = '$schema'::regnamespace and relname = name) then
      perform pg_advisory_xact_lock(hashtext('$schema.ensure_days'));
      if not exists (select from pg_class where relnamespace = '$schema'::regnamespace and relname = name) then
        execute format('create table $schema.%I (like $schema.journal including defaults including generated)', name);
        execute format('alter table $schema.journal attach partition $schema.%I for values from (%L) to (%L)', name, wanted, wanted + 1);
      end if;
    end if;
  end loop;
end $body$;

-- Empties partitions older than "keep" days, which locks nothing that ingest uses. Drops those that an earlier call
-- emptied, if it gets the lock within 50 ms. Returns the number of emptied partitions.
create function $schema.drop_days(keep int) returns int language plpgsql security definer set search_path = pg_catalog as $body$
declare
  name text;
  emptied text[] := '{}';
  is_empty boolean;
begin
  if keep < 1 then raise exception 'keep is %: give at least 1 day', keep; end if;
  perform set_config('lock_timeout', '50ms', true);
  for name in select * from $schema.days_before((now() at time zone 'UTC')::date - keep) loop
    begin
      execute format('select not exists (select from $schema.%I)', name) into is_empty;
      if not is_empty then
        execute format('truncate $schema.%I', name);
        emptied := emptied || name;
      end if;
    exception when lock_not_available or undefined_table then null; -- in use: the next call tries again
    end;
  end loop;
  for name in select * from $schema.days_before((now() at time zone 'UTC')::date - keep) loop
    continue when name = any (emptied);
    begin
      execute format('select not exists (select from $schema.%I)', name) into is_empty;
      if is_empty then execute format('drop table $schema.%I', name); end if;
    exception when lock_not_available or undefined_table then null;
    end;
  end loop;
  delete from $schema.writer where coalesce(ended_at, beat_at) < now() - make_interval(days => keep + 1);
  return cardinality(emptied);
end $body$;

create function $schema.days_before(first date) returns setof text language sql stable set search_path = pg_catalog as $body$
  select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = '$schema.journal'::regclass and c.relname ~ '^journal_[0-9]{8}$'
    and to_date(substr(c.relname::text, 9), 'YYYYMMDD') < first
  order by 1
$body$;

revoke execute on function $schema.ensure_days() from public;
revoke execute on function $schema.drop_days(int) from public;
`;

/**
 * Version 2. Unless `pg_temp` is named last, PostgreSQL looks there first for types, so a role that may create temporary
 * types could run its own code with the rights of the owner.
 */
const SAFE_PATHS = `
alter function $schema.ensure_days() set search_path = pg_catalog, pg_temp;
alter function $schema.drop_days(int) set search_path = pg_catalog, pg_temp;
alter function $schema.days_before(date) set search_path = pg_catalog, pg_temp;
`;

/**
 * Version 3. A login changes only its own row of "writer", and adds records only under a name of its own. The owner sets
 * how long records are kept. A schema that is migrated keeps the days that it holds.
 */
const OWN_ROWS = `
create table $schema.retention (
  one boolean primary key default true check (one),
  days int not null check (days >= 1)
);
insert into $schema.retention (days)
  select greatest(30, (now() at time zone 'UTC')::date - min(to_date(substr(c.relname::text, 9), 'YYYYMMDD')) + 1)
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = '$schema.journal'::regclass and c.relname ~ '^journal_[0-9]{8}$';

create function $schema.drop_days() returns int language sql security definer set search_path = pg_catalog, pg_temp as $body$
  select $schema.drop_days(days) from $schema.retention
$body$;
revoke execute on function $schema.drop_days() from public;

-- Null in rows of earlier versions.
alter table $schema.writer add column login text;
alter table $schema.writer alter column login set default session_user::text;
alter table $schema.writer enable row level security;
create policy all_read on $schema.writer for select using (true);
create policy own_added on $schema.writer for insert with check (login = session_user);
create policy own_changed on $schema.writer for update using (login is null or login = session_user);

alter table $schema.journal enable row level security;
create policy all_read on $schema.journal for select using (true);
create policy own_added on $schema.journal for insert with check (exists (
  select from $schema.writer as own where own.writer = journal.writer and (own.login is null or own.login = session_user)));

do $body$ begin
  if exists (select from pg_roles where rolname = '$schema_agent') then
    revoke execute on function $schema.drop_days(int) from $schema_agent;
    grant execute on function $schema.drop_days() to $schema_agent;
    grant select on $schema.retention to $schema_agent;
  end if;
end $body$;
`;

/** Index n creates version n + 1. A published migration never changes. */
export const MIGRATIONS: readonly Migration[] = [TABLES + FUNCTIONS, SAFE_PATHS, OWN_ROWS];
