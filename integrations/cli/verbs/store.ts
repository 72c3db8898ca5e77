import { resolve } from 'node:path';
import { Option } from 'commander';
import { LoopError } from 'rsi-loop';
import { counted, whole } from '../../reports/words/numbers.js';
import { EXIT } from '../exit.js';
import { copyStore } from '../store/copy-store.js';
import { isDatabase, shownStore } from '../store/database.js';
import { DEFAULT_STORE } from '../terminal/look.js';
import { print, type Report } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import { plain } from '../terminal/terminal-text.js';
import { jsonOption, verb } from '../verb.js';

interface Options {
  readonly schema: string;
  readonly json?: true;
}

const ACTIONS = ['migrate', 'roles', 'copy', 'upgrade'] as const;

/** The verb `rsi store <action...>`: prepares a database for a loop, and moves a loop between stores. */
export const storeVerb = verb<Options, readonly string[]>({
  description:
    'migrate creates the tables of a loop in a PostgreSQL database, or brings them to this version; run it as the owner of the schema. roles prints SQL for roles with few rights. upgrade converts a folder of the format before, and keeps the old one beside it. copy moves a loop from a folder to a database or back: it writes into an empty store, then compares both by count, content and the chain of decisions.',
  examples: [
    ['store migrate postgres://owner@host/db', 'before a new version starts'],
    ['store roles | psql postgres://owner@host/db', 'least privilege'],
    ['store upgrade ./rsi_data', 'a folder of an earlier version'],
    ['store copy ./rsi_data postgres://owner@host/db', 'from a folder to a database'],
  ],
  options: [new Option('--schema <name>', 'the schema that roles is for').default('rsi'), jsonOption()],
  run: async ({ schema, json }, [action = '', ...places], config) => {
    const store = async () => places[0] ?? (await config()).values.store ?? DEFAULT_STORE;
    await print(await run(action, places, { store, schema }), json);
    return EXIT.done;
  },
});

async function run(
  action: string,
  places: readonly string[],
  { store, schema }: { readonly store: () => Promise<string>; readonly schema: string },
): Promise<Report> {
  switch (action) {
    case 'migrate':
      return runMigration(await store());
    case 'roles': {
      const { roleScript } = await import('rsi-loop/stores/postgres');
      const sql = roleScript(schema);
      return { document: { format: 'rsi-store-roles/1', schema, sql }, text: sql };
    }
    case 'copy':
      return runCopy(places);
    case 'upgrade':
      return runUpgrade(await store());
    default:
      throw new LoopError('invalid-input', `no action ${JSON.stringify(action)}: give one of ${ACTIONS.join(', ')}`);
  }
}

async function runMigration(store: string): Promise<Report> {
  if (!isDatabase(store)) {
    throw new LoopError(
      'invalid-input',
      `${store} is a folder, which needs no migration: give postgres://user@host/database`,
    );
  }
  const { migrate } = await import('rsi-loop/stores/postgres');
  const { from, to } = await migrate({ url: store });
  const done =
    from === to
      ? `is of version ${to} already`
      : from === 0
        ? `created in version ${to}`
        : `brought from version ${from} to ${to}`;
  return { document: { format: 'rsi-store-migrate/1', from, to }, text: `${plain(shownStore(store))}: ${done}\n` };
}

async function runUpgrade(store: string): Promise<Report> {
  if (isDatabase(store)) {
    throw new LoopError('invalid-input', `${shownStore(store)} is a database: run "rsi store migrate"`);
  }
  const { upgradeFolder } = await import('../store/upgrade-folder.js');
  const report = await upgradeFolder(resolve(store));
  const what = `${counted(report.records, 'record')} and ${counted(report.decisions, 'decision')}`;
  const text = `${plain(store)}: from format ${report.from} to ${report.to}, ${what}, verified\nthe folder as it was: ${plain(report.kept)}\n`;
  return { document: { format: 'rsi-store-upgrade/1', ...report }, text };
}

async function runCopy([from, to, ...more]: readonly string[]): Promise<Report> {
  if (from === undefined || to === undefined || more.length > 0) {
    throw new LoopError('invalid-input', 'copy needs two places: the store to read, and the empty one to write');
  }
  const progress = new Progress(process.stderr);
  try {
    const report = await copyStore(from, to, (count) => progress.show(() => `${whole(count)} records copied`));
    const names = { from: shownStore(from), to: shownStore(to) };
    const what = `${counted(report.records, 'record')} and ${counted(report.decisions, 'decision')}`;
    const text = `${what} copied to ${plain(names.to)}\nverified: same count, content and chain (${report.head.slice(0, 12) || 'empty'})\n`;
    return { document: { format: 'rsi-store-copy/1', ...names, ...report }, text };
  } finally {
    progress.clear();
  }
}
