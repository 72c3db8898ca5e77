import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { deepImports, exportsOf, namesOfMany, readTree, roomsOf, sizeOf } from '../../scripts/numbers/tree.js';

const sample = new Map([
  ['src/fix/a.ts', "import { b } from '../run/b.js';\nimport type { C } from '../run/c.js';\n"],
  ['src/run/b.ts', 'export const b = 1;\n'],
  ['src/run/c.ts', ''],
  ['integrations/cli/a.ts', "import { b } from '../../src/run/b.js';\n"],
  ['integrations/heal/a.ts', "import { RSILoop } from 'rsi-loop';\n"],
]);

describe('the numbers of the project', () => {
  it('are counted from the files', () => {
    expect(sizeOf(sample, 'src/')).toEqual({ files: 3, lines: 3 });
    expect(roomsOf(sample)).toEqual({ rooms: 2, arrows: 1 });
    expect(deepImports(sample, 'integrations/', 'src/')).toEqual(['integrations/cli/a.ts src/run/b.ts']);
    expect([...namesOfMany(sample).keys()]).toEqual(['a.ts']);
    const text =
      "export { a, type B } from './a.js';\nexport type { C } from './c.js';\nexport const d = 1;\nconst e = 2;";
    expect(exportsOf(text)).toEqual({ values: 2, types: 2 });
  });
});

describe('the names of files', () => {
  it('stand at most twice in the tree, so that a name says which file is meant', () => {
    expect(Object.fromEntries(namesOfMany(readTree(['src', 'integrations'], /\.tsx?$/)))).toEqual({});
  });
});

describe('the main entry point', () => {
  it('has at most 100 types', () => {
    const text = readTree(['src'], /^index\.ts$/).get('src/index.ts') ?? '';
    expect(exportsOf(text).types).toBeLessThanOrEqual(100);
  });
});

describe('the kit', () => {
  const text = readTree(['src'], /^kit\.ts$/).get('src/kit.ts') ?? '';

  it('has at most 40 values, each with a sentence that says what it is for', () => {
    expect(exportsOf(text).values).toBeLessThanOrEqual(40);
    const { statements } = ts.createSourceFile('kit.ts', text, ts.ScriptTarget.ES2022, true);
    const silent = statements.filter((statement, index) => {
      const isType = ts.isExportDeclaration(statement) && statement.isTypeOnly;
      if (ts.isImportDeclaration(statement) || isType) return false;
      // A sentence may also precede the types of the same subject.
      const before = statements[index - 1];
      const above = before && ts.isExportDeclaration(before) && before.isTypeOnly ? before.getFullText() : '';
      return !/\/\*\* .+\. ?\*\//.test(above + statement.getFullText());
    });
    expect(silent.map((statement) => statement.getText())).toEqual([]);
  });
});
