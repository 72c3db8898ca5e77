import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');

/** Types whose values users meet in code, output and files. */
const PUBLIC: Readonly<Record<string, readonly string[]>> = {
  'errors.ts': ['LoopErrorCode'],
  'fix.ts': ['FixStatus', 'Decision', 'Forecast'],
  'issue.ts': ['ERROR_CATEGORIES', 'NamedIssue', 'Severity'],
  'loop-event.ts': ['LoopEvent'],
  'pattern.ts': ['PatternKind', 'Trend', 'RootCause'],
  'start.ts': ['Arm'],
  'trial.ts': ['UnitKind'],
  'verdict.ts': ['GuardName', 'Verdict'],
};

/** Returns the words of a declaration: its string literals, and those of its members `kind` and `why`. */
function wordsOf(file: string, name: string): readonly string[] {
  const text = readFileSync(`${ROOT}/src/contract/${file}`, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const words: string[] = [];
  const collect = (node: ts.Node): void => {
    if (ts.isPropertySignature(node) && !['kind', 'why'].includes(node.name.getText())) return;
    if (ts.isStringLiteral(node)) words.push(node.text);
    ts.forEachChild(node, collect);
  };
  for (const statement of source.statements) {
    if (ts.isTypeAliasDeclaration(statement) && statement.name.text === name) collect(statement.type);
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name: own, initializer } of statement.declarationList.declarations) {
      if (own.getText() === name && initializer) collect(initializer);
    }
  }
  return words;
}

describe('docs/words.md', () => {
  const page = readFileSync(`${ROOT}/docs/words.md`, 'utf8');
  for (const [file, names] of Object.entries(PUBLIC)) {
    it.each(names)(`explains every word of %s in ${file}`, (name) => {
      const words = wordsOf(file, name);
      expect(words.length).toBeGreaterThan(1);
      expect(words.filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
    });
  }
});
