import { Option } from 'commander';
import { redact } from 'rsi-loop';
import { nearestName } from 'rsi-loop/kit';
import { isPathValue } from '../config/check-config.js';
import { CONFIG_VARIABLE, type Configuration, variables } from '../config/load.js';
import { type Setting, shownValue } from '../config/read-values.js';
import { EXIT } from '../exit.js';
import { shownStore } from '../store/database.js';
import { type Look, lookAt } from '../terminal/look.js';
import { notice, print, type Report } from '../terminal/output.js';
import { beside, table } from '../terminal/page.js';
import { shortPath } from '../terminal/short-path.js';
import { plain, wrap } from '../terminal/terminal-text.js';
import { jsonOption, verb } from '../verb.js';

interface Options {
  readonly all?: true;
  readonly store?: string;
  readonly json?: true;
}

/** The verb `rsi config`: prints the configuration in force and the origin of each value. */
export const configVerb = verb<Options>({
  description: `Prints each value in force and its origin: a variable, rsi.config.ts (or .js, .mjs, .json), "rsi" in package.json, or the default. Flags of a verb override all of them. Secrets are not printed. ${CONFIG_VARIABLE} names another file, or none.`,
  examples: [
    ['config', 'what is set'],
    ['config --all', 'also defaults, and the variable of each key'],
    ['config --store ./other', 'as verbs with that flag see it'],
  ],
  options: [
    new Option('--all', 'also show defaults, and the variable that sets each key'),
    new Option('--store <place>', 'the folder of the loop, or postgres://...'),
    jsonOption(),
  ],
  run: async ({ all, store, json }, _argument, config) => {
    await print(reportOf(await config(), lookAt(process.stdout), { all: all === true, store }), json);
    for (const [typed, meant] of mistyped(process.env)) await notice(`${typed} is not read: did you mean ${meant}?`);
    return EXIT.done;
  },
});

/** Returns variables that are almost the name of a known one. */
function mistyped(env: NodeJS.ProcessEnv): readonly (readonly [typed: string, meant: string])[] {
  const known = [CONFIG_VARIABLE, ...variables().flatMap(({ check, variable }) => (check.fromText ? variable : []))];
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith('RSI_') || known.includes(name)) return [];
    const meant = nearestName(name, known);
    return meant === undefined ? [] : [[name, meant] as const];
  });
}

/** Row of the report: one key with its value. */
interface Row {
  readonly key: string;
  /** Absent if nothing sets it and there is no default. */
  readonly value?: unknown;
  readonly from?: string;
  /** Variable that can set it. */
  readonly variable?: string;
  readonly hidden?: true;
}

/** Key names of values that are never printed, even if their section does not mark them. */
const SECRET_KEY = /token|secret|password|api_?key|authorization/i;

function reportOf(
  configuration: Configuration,
  look: Look,
  { all, store }: { readonly all: boolean; readonly store: string | undefined },
): Report {
  const { files, settings } = configuration;
  const known = variables().map((each): Row => {
    const setting = settings.get(each.key);
    const { variable, key, check } = each;
    if (key === 'store' && store !== undefined) return { key, value: redact(shownStore(store)), from: '--store' };
    const canBeSet = check.fromText === undefined ? {} : { variable };
    if (setting) return { ...rowOf(key, setting), ...canBeSet };
    if (check.fallback === undefined) return { key, ...canBeSet };
    return { key, value: check.fallback, from: 'default', ...canBeSet };
  });
  const keys = new Set(known.map(({ key }) => key));
  const named = [...settings].filter(([key]) => !keys.has(key)).map(([key, setting]) => rowOf(key, setting));
  const rows = [...known, ...named].filter(({ key, from }) => all || key === 'store' || (from && from !== 'default'));
  const { file, manifest, searched } = files;
  return {
    document: { format: 'rsi-config/1', file: file ?? null, manifest: manifest ?? null, searched, values: rows },
    text: render(rows, configuration, look, all),
  };
}

function rowOf(key: string, { value, check, from }: Setting): Row {
  if (check.isSecret || SECRET_KEY.test(key)) return { key, hidden: true, from: from.name };
  const shown = isPathValue(check, value) ? shortPath(value) : typeof value === 'string' ? shownStore(value) : value;
  return {
    key,
    value: typeof shown === 'string' ? redact(shown) : (jsonOf(shown) ?? shownValue(shown)),
    from: from.name,
  };
}

/** Returns the value as redacted JSON; undefined for a value of code, such as a list with a pattern. */
function jsonOf(value: unknown): unknown {
  const text = shownValue(value, Number.POSITIVE_INFINITY);
  try {
    return JSON.parse(redact(text));
  } catch {
    return undefined;
  }
}

function render(rows: readonly Row[], { files }: Configuration, look: Look, all: boolean): string {
  const found = [files.file, files.manifest].filter((path) => path !== undefined).map(shortPath);
  const [first = '', last = first] = [files.searched[0], files.searched.at(-1)];
  const where = found.length > 0 ? `read from ${found.join(' and ')}` : searchedWords(first, last);
  const lines = all ? rows.flatMap((row) => inFull(row, look)) : inShort(rows, look);
  return `${[...lines, '', ...wrap(plain(where), look.width, { whole: true })].join('\n')}\n`;
}

function inShort(rows: readonly Row[], look: Look): string[] {
  const heads = [{ head: 'key', max: 32 }, { head: 'value', max: 28 }, { head: 'from' }];
  const cells = rows.map((row) => ({ cells: [plain(row.key), cellOf(row), plain(row.from ?? '')] }));
  return table(heads, cells, look);
}

/** Renders a key with its value and origin, and below it the variable that sets it. */
function inFull(row: Row, look: Look): string[] {
  const { key, from, variable } = row;
  const value = from === undefined ? 'not set' : `${cellOf(row)} (${plain(from)})`;
  return [
    ...beside(`${plain(key)}  `, wrap(value, look.width - key.length - 2)),
    ...(variable === undefined ? [] : [`    ${look.paint('dim', variable)}`]),
  ];
}

function cellOf({ value, hidden }: Row): string {
  if (hidden) return '(hidden)';
  return value === undefined ? '' : plain(shownValue(value));
}

function searchedWords(first: string, last: string): string {
  if (first === '') return `no file is read (${CONFIG_VARIABLE})`;
  return `no configuration file in ${first}${last === first ? '' : ` or above it, up to ${last}`}`;
}
