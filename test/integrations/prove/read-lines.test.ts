import { describe, expect, it } from 'vitest';
import { readLines } from '../../../integrations/prove/read-lines.js';
import { withoutLines } from '../../../integrations/prove/without-lines.js';

const TEXT = [
  '---',
  'name: agent',
  '---',
  '# Project',
  '',
  'This is a shop.',
  'It sells shoes.',
  '',
  '## Style',
  '',
  'Follow these:',
  '',
  '- Use tabs.',
  '- Prefer `const`:',
  '  ```ts',
  '  const a = 1;',
  '',
  '  # no heading',
  '  ```',
  '  - a child',
  '- Never delete the database.',
  '- @docs/style.md',
  '',
  'Tests',
  '-----',
  '',
  'Run this:',
  '',
  '```sh',
  'npm test',
  '',
  '- no item',
  '```',
  '',
  '<!-- keep -->',
  'Reviewed by the team.',
  '',
  '| a | b |',
  '|---|---|',
  '1. First.',
  '2. Second. <!-- keep -->',
].join('\n');

const free = (text: string, options = {}) => readLines(text, options).filter(({ kept }) => kept === undefined);

describe('readLines', () => {
  it('gives list items with their children, paragraphs, tables and code blocks, each under its heading', () => {
    expect(
      free(TEXT).map(({ heading, text }) => [heading, text.split('\n')[0], text.trim().split('\n').length]),
    ).toEqual([
      ['Project', 'This is a shop.', 2],
      ['Style', '- Use tabs.', 1],
      ['Style', '- Prefer `const`:', 7],
      ['Tests', 'Run this:', 7],
      ['Tests', '| a | b |', 2],
      ['Tests', '1. First.', 1],
    ]);
  });

  it('says why a line stays in every session', () => {
    const kept = readLines(TEXT).filter((line) => line.kept);
    expect(kept.map(({ kept: why, text }) => [why, text.trim()])).toEqual([
      ['structure', 'Follow these:'],
      ['safety', '- Never delete the database.'],
      ['structure', '- @docs/style.md'],
      ['marked', 'Reviewed by the team.'],
      ['marked', '2. Second. <!-- keep -->'],
    ]);
    expect(free(TEXT, { withSafety: true }).map(({ text }) => text)).toContain('- Never delete the database.\n');
  });

  it.each([
    '- You must not push to main.',
    '- Do not print secrets.',
    '- Ask before you delete files.',
    '- Kein `rm -rf`.',
    '- Production needs an approval.',
    '- Jamais de mots de passe.',
  ])('keeps a line that names a danger: %s', (line) => {
    expect(readLines(`${line}\n- other\n`).map(({ kept }) => kept)).toEqual(['safety', undefined]);
  });

  it('joins what is under one heading, and keeps the shortest lines beyond the limit', () => {
    expect(free(TEXT, { by: 'section' }).map(({ text }) => text.split('\n')[0])).toEqual([
      'This is a shop.',
      '- Use tabs.',
      'Run this:',
      '| a | b |',
    ]);
    const limited = readLines('- a\n- much longer\n- longer\n', { maxLines: 2 });
    expect(limited.map(({ kept }) => kept)).toEqual(['limit', undefined, undefined]);
  });

  it('keeps every byte that is not left out, with any line break and without the last one', () => {
    for (const text of [TEXT, TEXT.replaceAll('\n', '\r\n'), `\ufeff${TEXT}`, `${TEXT}\n\n`]) {
      const lines = readLines(text);
      for (const line of lines) {
        expect(text.slice(line.start, line.end)).toBe(line.text);
        expect(withoutLines(text, new Set([line]), lines)).toBe(text.slice(0, line.start) + text.slice(line.end));
      }
      expect(withoutLines(text, new Set(), lines)).toBe(text);
    }
  });

  it('removes a heading whose lines are all left out', () => {
    const text = '# A\n\n- one\n\n## B\n\n- two\n- three\n\n# C\n';
    const lines = readLines(text);
    expect(withoutLines(text, new Set(lines.slice(0, 1)), lines), 'B is under A').toBe(text.replace('- one\n', ''));
    expect(withoutLines(text, new Set(lines), lines)).toBe('\n\n\n\n# C\n');
    expect(withoutLines(text, new Set(lines.slice(1)), lines)).toBe('# A\n\n- one\n\n\n\n# C\n');
    expect(withoutLines(text, new Set(lines.slice(1, 2)), lines)).toBe('# A\n\n- one\n\n## B\n\n- three\n\n# C\n');
  });

  it.each([
    ['', /nothing to prove/],
    ['# only a heading\n', /nothing to prove/],
    ['a\0b', /zero byte/],
    ['x'.repeat(1_048_577), /at most 1048576/],
  ])('rejects a text without lines', (text, message) => {
    expect(() => readLines(text)).toThrow(message);
  });
});
