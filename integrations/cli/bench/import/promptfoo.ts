import { isRow, nonEmptyText, type Row, rowOf } from '../../../sources/import/import-fields.js';
import { mapAssertions } from './assertions.js';
import { type FileProblem, type Imported, type ImportNote, uniqueNames } from './imported.js';
import { rendered, Unmapped } from './templates.js';

/** Combinations of the variables of one test: `vars` with lists stand for one test per combination. */
const MAX_COMBINATIONS = 1_000;

/** Reads the tests of a promptfoo configuration. Its prompts and providers are the agent's part. */
export function importPromptfoo(config: Row): Imported {
  const unique = uniqueNames();
  const found = testsOf(config).map((test, index) => {
    const item = (isRow(test) && nonEmptyText(test.description)) || `test ${index + 1}`;
    return promptfooProblems(test, rowOf(config.defaultTest), item, unique);
  });
  return {
    problems: found.flatMap(({ problems }) => problems),
    recorded: [],
    notes: [...found.flatMap(({ notes }) => notes), ...notesOn(config)],
  };
}

/** Returns the problems of one test, or why it makes none. Lists of variables make several. */
export function promptfooProblems(
  test: unknown,
  defaultTest: Row,
  item: string,
  unique = uniqueNames(),
): Pick<Imported, 'problems' | 'notes'> {
  const problems: FileProblem[] = [];
  const notes: ImportNote[] = [];
  try {
    for (const { changes, ...problem } of problemsOf(test, defaultTest)) {
      const id = unique(item);
      problems.push({ id, ...problem });
      notes.push(...changes.map((reason) => ({ kind: 'changed', item: id, reason }) as const));
    }
  } catch (cause) {
    if (!(cause instanceof Unmapped)) throw cause;
    notes.push({ kind: 'skipped', item, reason: cause.message });
  }
  return { problems, notes };
}

/** Names the parts of a configuration that are no tests. */
function notesOn(config: Row): readonly ImportNote[] {
  const files = ['defaultTest', 'tests', 'scenarios'].filter((name) => typeof config[name] === 'string');
  const left = ['prompts', 'providers', 'targets', 'redteam', 'evaluateOptions'].filter((name) => name in config);
  return [
    ...files.map(
      (item) => ({ kind: 'skipped', item, reason: `${config[item]} is another file: import that file` }) as const,
    ),
    ...(left.length > 0
      ? [{ kind: 'skipped', item: left.join(', '), reason: 'the run function of the benchmark decides this' } as const]
      : []),
  ];
}

/** Returns the tests, and those of each scenario with its variables. */
function testsOf({ tests, scenarios, assert, vars }: Row): readonly unknown[] {
  const own = Array.isArray(tests) ? tests : isRow(tests) ? [tests] : [];
  const single = own.length === 0 && assert !== undefined && vars !== undefined ? [{ assert, vars }] : [];
  const staged = list(scenarios).flatMap((scenario) => {
    const { config, tests: inner } = rowOf(scenario);
    return list(config).flatMap((setting) => list(inner).map((test) => merged(rowOf(setting), rowOf(test))));
  });
  return [...own, ...single, ...staged];
}

/** Merges two tests: the variables of the second hold, and the assertions of both. */
function merged(first: Row, second: Row): Row {
  const vars = { ...rowOf(first.vars), ...rowOf(second.vars) };
  return { ...first, ...second, vars, assert: [...list(first.assert), ...list(second.assert)] };
}

function* problemsOf(
  test: unknown,
  defaultTest: Row,
): Generator<Omit<FileProblem, 'id'> & { readonly changes: readonly string[] }> {
  if (!isRow(test))
    throw new Unmapped(typeof test === 'string' ? `${test} is another file: import that file` : 'it is not an object');
  for (const name of ['vars', 'assert'])
    if (typeof test[name] === 'string')
      throw new Unmapped(`${name} is in another file (${test[name]}): write its content instead`);
  if (test.assert !== undefined && !Array.isArray(test.assert)) throw new Unmapped('its assertions are no list');
  const whole = merged(defaultTest, test);
  const { threshold, options } = whole;
  if (threshold !== undefined) throw new Unmapped('it has a threshold for all assertions, which has no counterpart');
  const { transform, transformVars, disableVarExpansion } = rowOf(options);
  if (transform !== undefined || transformVars !== undefined) throw new Unmapped('it has a transform, which is code');
  const vars = rowOf(whole.vars);
  for (const input of disableVarExpansion === true ? [vars] : combinations(vars)) {
    const shown = withTemplates(input);
    const { changes, ...check } = mapAssertions(list(whole.assert), shown);
    yield { input: shown as FileProblem['input'], ...check, tags: ['promptfoo'], changes }; // YAML and JSON yield plain JSON
  }
}

/** Variables may use each other. */
function withTemplates(vars: Row): Row {
  const entries = Object.entries(vars).map(([name, value]) => [
    name,
    typeof value === 'string' ? rendered(value, vars) : value,
  ]);
  return Object.fromEntries(entries);
}

function combinations(vars: Row): readonly Row[] {
  const lists = Object.entries(vars).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const count = lists.reduce((product, [, values]) => product * values.length, 1);
  if (count > MAX_COMBINATIONS)
    throw new Unmapped(`its lists of variables make ${count} tests, more than ${MAX_COMBINATIONS}`);
  return lists.reduce<readonly Row[]>(
    (rows, [name, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [vars],
  );
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
