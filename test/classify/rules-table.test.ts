import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RULES, type RuleRow } from '../../src/classify/rules.js';
import { LANGUAGE_RULES } from '../../src/classify/rules-languages.js';
import { ERROR_CATEGORIES } from '../../src/contract/issue.js';

const root = join(import.meta.dirname, '../..');
const page = join(root, 'docs/classify-rules.md');

/** The comment above each row of a rules file, in the order of the rows; a row without one shares that of the row before. */
function reasons(file: string): readonly string[] {
  const source = readFileSync(join(root, 'src/classify', file), 'utf8');
  let reason = '';
  const found: string[] = [];
  for (const line of source.slice(source.indexOf('RuleRow[] = [')).split('\n')) {
    reason = /^ {2}\/\/ (.*)/.exec(line)?.[1] ?? reason;
    if (/^ {2}\[/.test(line)) found.push(reason);
  }
  return found;
}

function table(rows: readonly RuleRow[], file: string): string {
  const why = reasons(file);
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const lines = rows.map(
    ([category, name, confidence, phrases], index) =>
      `| \`${category}/${name}\` | ${(confidence / 100).toFixed(2)} | ${why[index]} | ${cell(phrases.replaceAll(',', ' ·'))} |`,
  );
  return ['| rule | confidence | why | phrases |', '|---|---|---|---|', ...lines].join('\n');
}

const text = `# The rules behind \`classifyError\`

Made from \`src/classify/rules.ts\` and \`src/classify/rules-languages.ts\` by \`npm run rules\`; a test fails when it is out of date.
How they are read: [classify.md](classify.md). \`a|b\` is either word, \`stem*\` any ending, \`..\` up to six words between, \`#\` any
number, \`#137\` that number, \`!429\` that HTTP status.

${table(RULES, 'rules.ts')}

## Other languages

${table(LANGUAGE_RULES, 'rules-languages.ts')}
`;

describe('the table of rules', () => {
  it('is the one in the docs', () => {
    if (process.env.UPDATE_RULES_PAGE) writeFileSync(page, text);
    expect(readFileSync(page, 'utf8')).toBe(text);
  });

  it('gives every row a reason and a name of its own, and every category but one a row', () => {
    expect(reasons('rules.ts')).toHaveLength(RULES.length);
    expect(reasons('rules-languages.ts')).toHaveLength(LANGUAGE_RULES.length);
    const ids = [...RULES, ...LANGUAGE_RULES].map(([category, name]) => `${category}/${name}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(RULES.map(([category]) => category))).toEqual(new Set(ERROR_CATEGORIES));
  });
});
