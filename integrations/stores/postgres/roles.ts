import { schemaOf } from './postgres-options.js';

/**
 * Returns SQL that creates two roles without a login: `<schema>_agent` records, decides and runs cycles, and
 * `<schema>_reader` only reads. Neither can edit or delete a record or a decision, or change a table. Erasing and
 * migrating need the owner of the schema, who runs this script.
 */
export function roleScript(schema = 'rsi'): string {
  const name = schemaOf(schema);
  const [agent, reader] = [`${name}_agent`, `${name}_reader`];
  return `-- Rights of the processes that use the loop in schema ${name}. Run this as the owner of the schema.
-- Then give each process a login: create role my_agent login password '...' in role ${agent};
do $$
begin
  if not exists (select from pg_roles where rolname = '${agent}') then create role ${agent} nologin; end if;
  if not exists (select from pg_roles where rolname = '${reader}') then create role ${reader} nologin; end if;
end $$;
grant usage on schema ${name} to ${agent}, ${reader};
grant select on all tables in schema ${name} to ${agent}, ${reader};
grant insert on ${name}.journal, ${name}.ledger to ${agent};
grant insert, update on ${name}.writer, ${name}.lease, ${name}.snapshot to ${agent};
grant update on ${name}.head to ${agent};
grant insert, delete on ${name}.snapshot_part to ${agent};
grant execute on function ${name}.ensure_days(), ${name}.drop_days(int) to ${agent};
`;
}
