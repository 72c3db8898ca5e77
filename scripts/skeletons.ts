export const KINDS = ['importer', 'source', 'setting', 'verb', 'catalog', 'rule'] as const;
export type Kind = (typeof KINDS)[number];

/** Files to write and places to change for one new part. */
export interface Skeleton {
  /** Text by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Each puts `insert` in front of the first `before`. */
  readonly edits: readonly { readonly path: string; readonly before: string; readonly insert: string }[];
  /** The two lines that a person fills in. */
  readonly fill: readonly [code: string, test: string];
}

/** Returns the skeleton of a new part. `name` has lower-case words with hyphens, such as `my-format`. */
export function skeletonOf(kind: Kind, name: string): Skeleton {
  const identifier = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return SKELETONS[kind](name, identifier);
}

const SKELETONS: Readonly<Record<Kind, (name: string, identifier: string) => Skeleton>> = {
  importer,
  source,
  setting,
  verb,
  catalog,
  rule,
};

function importer(name: string, identifier: string): Skeleton {
  const path = `integrations/sources/import/formats/${name}.ts`;
  const test = `test/integrations/sources/import/${name}.test.ts`;
  return {
    files: {
      [path]: `import { idOf, type Row } from '../import-fields.js';
import { documentImporter, type Place } from '../read-documents.js';

/** Importer for ${name}: one JSON object per line. */
export const ${identifier} = documentImporter({
  name: '${name}',
  title: '${name} (.jsonl)',
  detect: ({ text }) => /"${name}_id"\\s*:/.test(text),
  open: (found) => ({
    row(record: Row, place: Place): boolean {
      found.add('FILL IN', idOf(record.id) ?? place.digest(), { success: true });
      return true;
    },
  }),
});
`,
      [test]: `import { describe, expect, it } from 'vitest';
import { ${identifier} } from '../../../../integrations/sources/import/formats/${name}.js';
import { importText } from './import-text.js';

describe('files of ${name}', () => {
  it('give an outcome for each record', async () => {
    const { outcomes } = await importText(${identifier}, '{"${name}_id": "1"}\\n');
    expect(outcomes).toMatchObject([{ task: 'the task of the record', source: '${name}' }]);
  });
});
`,
    },
    edits: [
      {
        path: 'integrations/sources/import/detect.ts',
        before: 'import { otelSpans }',
        insert: `import { ${identifier} } from './formats/${name}.js';\n`,
      },
      { path: 'integrations/sources/import/detect.ts', before: '  csv,\n', insert: `  ${identifier},\n` },
    ],
    fill: [
      `${path}: detect, and the fields of a record`,
      `${test}: a real record; add it to samples.ts too, and the format to docs/import.md`,
    ],
  };
}

function source(name: string, identifier: string): Skeleton {
  const path = `integrations/sources/${name}.ts`;
  const test = `test/integrations/sources/${name}.test.ts`;
  return {
    files: {
      [path]: `import type { RSILoop, Source } from 'rsi-loop';

/** Creates a source that feeds outcomes of ${name}: \`loop.sources.attach(${identifier}())\`. */
export function ${identifier}(): Source<RSILoop> {
  return {
    name: '${name}',
    attach: (loop) => {
      loop.observer.recordSimple('FILL IN', { success: true });
      return () => {};
    },
  };
}
`,
      [test]: `import { exportOutcomes, RSILoop } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { ${identifier} } from '../../../integrations/sources/${name}.js';

describe('${name}', () => {
  it('records what it receives', async () => {
    const loop = new RSILoop();
    await loop.ready();
    const stop = loop.sources.attach(${identifier}());
    await stop();
    await loop.flush();
    const tasks: string[] = [];
    for await (const { task } of exportOutcomes(loop)) tasks.push(task);
    expect(tasks).toEqual(['the task that it received']);
  });
});
`,
    },
    edits: [],
    fill: [
      `${path}: what it records, and the function that stops it`,
      `${test}: what it receives; add the file to scripts/doors.ts and run npm run doors`,
    ],
  };
}

function setting(name: string): Skeleton {
  const setting = name.replace('-', '.').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const test = `test/run/${name}.test.ts`;
  const path = 'src/contract/settings.ts';
  return {
    files: {
      [test]: `import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../src/contract/policy.js';

describe('the setting ${setting}', () => {
  it('changes nothing by default', () => {
    expect(DEFAULT_POLICY['${setting}']).toBe(0);
  });

  it('is read by a task', () => {
    expect.fail('run a task with ${setting} and compare it with one without');
  });
});
`,
    },
    edits: [
      {
        path,
        before: '  /** Custom settings, as declared by the host. */',
        insert: `  /** FILL IN; 0 means off. */\n  readonly '${setting}': number;\n`,
      },
      {
        path,
        before: "    'backoff.baseMs': {",
        insert: `    '${setting}': { type: 'number', default: 0, min: 1, max: 100, unit: 'FILL IN', zeroIsOff: true },\n`,
      },
    ],
    fill: [
      `${path}: its meaning, bounds and unit; read it in src/run`,
      `${test}: what a task does under it; describe it in docs/run.md and src/fix/kinds/setting-words.ts`,
    ],
  };
}

function verb(name: string, identifier: string): Skeleton {
  const path = `integrations/cli/verbs/${name}.ts`;
  const test = `test/integrations/cli/${name}.test.ts`;
  return {
    files: {
      [path]: `import { readVerb } from '../verb.js';

/** The verb \`rsi ${name}\`: FILL IN. */
export const ${identifier} = readVerb({
  description: 'FILL IN in a sentence.',
  examples: [['${name}', 'of ./rsi_data']],
  read: (loop) => {
    const document = { format: 'rsi-${name}/1', fixes: loop.fixes().length };
    return { document, text: 'FILL IN\\n' };
  },
});
`,
      [test]: `import { describe, expect, it } from 'vitest';
import { programOf } from '../../../integrations/cli/program.js';

describe('rsi ${name}', () => {
  it('has a help that says what it is for', async () => {
    const { commands } = await programOf(() => {});
    const verb = commands.find((command) => command.name() === '${name}');
    expect(verb?.helpInformation()).not.toContain('FILL IN');
  });
});
`,
    },
    edits: [
      {
        path: 'integrations/cli/table.ts',
        before: "  {\n    name: 'doctor',",
        insert: `  {
    name: '${name}',
    summary: 'FILL IN in a few words',
    load: async () => (await import('./verbs/${name}.js')).${identifier},
  },
`,
      },
    ],
    fill: [
      `${path}: its words, and read(), which returns a document and the text of it; table.ts: its summary`,
      `${test}: what it prints; describe it in docs/cli.md`,
    ],
  };
}

function catalog(name: string, identifier: string): Skeleton {
  const path = `src/fix/catalog/${name}.ts`;
  const test = `test/fix/${name}.test.ts`;
  return {
    files: {
      [path]: `import type { CatalogEntry } from '../candidate.js';

/** Proposes FILL IN if a pattern shows that it may help. */
export const ${identifier}: CatalogEntry = {
  name: '${name}',
  match: ({ issue }) => issue === 'FILL IN',
  propose: (_pattern, { policy }) => [
    {
      set: { 'limit.concurrency': policy['limit.concurrency'] },
      reason: 'FILL IN: why this change, with the numbers',
    },
  ],
};
`,
      [test]: `import { describe, expect, it } from 'vitest';
import { mergePolicy } from '../../src/contract/policy.js';
import { ${identifier} } from '../../src/fix/catalog/${name}.js';
import { ModelShareTable } from '../../src/fix/model-shares.js';
import { TaskContext } from '../../src/fix/task-context.js';
import { somePattern, someTask } from './fixtures.js';

describe('the catalog entry ${name}', () => {
  it('proposes a change for its patterns', () => {
    const context = new TaskContext(someTask({}), () => mergePolicy([]), new ModelShareTable(), true);
    const pattern = somePattern({ issue: 'network' });
    expect(${identifier}.match(pattern, context)).toBe(true);
    expect(${identifier}.propose(pattern, context)[0]?.reason).not.toContain('FILL IN');
  });
});
`,
    },
    edits: [
      {
        path: 'src/fix/catalog.ts',
        before: 'import { allowFallback }',
        insert: `import { ${identifier} } from './catalog/${name}.js';\n`,
      },
      { path: 'src/fix/catalog.ts', before: '  otherModelForSlowOrCostly,\n', insert: `  ${identifier},\n` },
    ],
    fill: [
      `${path}: which patterns it is for, and what it sets`,
      `${test}: a pattern with its numbers; describe it in docs/fix.md`,
    ],
  };
}

function rule(name: string): Skeleton {
  const path = 'src/classify/rules.ts';
  const test = `test/classify/${name}.test.ts`;
  return {
    files: {
      [test]: `import { describe, expect, it } from 'vitest';
import { classifyError } from '../../src/classify/classify-error.js';

describe('errors that say ${name.replaceAll('-', ' ')}', () => {
  it('are named, whatever their ids and paths', () => {
    const messages = ['FILL IN: a whole message, as a program prints it'];
    expect(messages.map((message) => classifyError(message).rule)).toEqual(messages.map(() => 'validation/${name}'));
  });
});
`,
    },
    edits: [
      {
        path,
        before: '  // Reports that nothing failed.',
        insert: `  // FILL IN: which program prints it, and why it means this.\n  ['validation', '${name}', 90, '${name.replaceAll('-', ' ')}'],\n`,
      },
    ],
    fill: [
      `${path}: the category, how surely it is meant, and the phrases; then npm run rules`,
      `${test}: messages as programs print them, also some that must not match`,
    ],
  };
}
