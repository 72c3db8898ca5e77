import { schemaOf } from './postgres-options.js';

/**
 * Returns SQL that creates four roles without a login. `<schema>_recorder` adds outcomes of its own, and nothing else.
 * `<schema>_decider` reads, decides and runs cycles. `<schema>_agent` does both, and begins tasks in trials.
 * `<schema>_reader` only reads. None can edit or delete a record or a decision, change a table, or set how long records
 * are kept. That, erasing and migrating need the owner of the schema, who runs this script.
 */
export function roleScript(schema = 'rsi'): string {
  const name = schemaOf(schema);
  const [recorder, decider] = [`${name}_recorder`, `${name}_decider`];
  const [agent, reader] = [`${name}_agent`, `${name}_reader`];
  const create = [recorder, decider, agent, reader].map(
    (role) =>
      `  if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;`,
  );
  return `-- Rights of the processes that use the loop in schema ${name}. Run this as the owner of the schema.
-- Then give each process a login: create role my_agent login password '...' in role ${agent};
do $$
begin
${create.join('\n')}
end $$;
grant usage on schema ${name} to ${recorder}, ${decider}, ${agent}, ${reader};
grant select on all tables in schema ${name} to ${decider}, ${agent}, ${reader};
grant select on ${name}.meta, ${name}.writer to ${recorder};
grant insert on ${name}.journal to ${recorder}, ${agent};
grant insert on ${name}.writer to ${recorder}, ${decider}, ${agent};
grant update (written, ended_at) on ${name}.writer to ${recorder};
grant update on ${name}.writer to ${decider}, ${agent};
grant insert on ${name}.ledger to ${decider}, ${agent};
grant insert, update on ${name}.lease, ${name}.snapshot to ${decider}, ${agent};
grant update on ${name}.head to ${decider}, ${agent};
grant insert, delete on ${name}.snapshot_part to ${decider}, ${agent};
grant execute on function ${name}.ensure_days() to ${recorder}, ${decider}, ${agent};
grant execute on function ${name}.drop_days() to ${decider}, ${agent};
-- Starts place a task in a trial, and trials wait for live processes: a recorder can neither add one nor count as one.
drop policy if exists recorder_adds_outcomes on ${name}.journal;
create policy recorder_adds_outcomes on ${name}.journal as restrictive for insert to ${recorder}
  with check (kind = 'outcome');
drop policy if exists recorder_is_ended on ${name}.writer;
create policy recorder_is_ended on ${name}.writer as restrictive for insert to ${recorder} with check (ended_at is not null);
drop policy if exists recorder_stays_ended on ${name}.writer;
create policy recorder_stays_ended on ${name}.writer as restrictive for update to ${recorder}
  using (true) with check (ended_at is not null);
`;
}
