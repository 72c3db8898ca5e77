import { describe, expect, it } from 'vitest';
import { addRule, listRules, removeRule } from '../../../src/fix/rules/edit-section.js';
import type { WrittenRule } from '../../../src/fix/rules/rule-line.js';
import { BEGIN, END, NOTE } from '../../../src/fix/rules/section.js';
import { edited, idsIn, NOT_ALLOWED, rule } from './written-rules.js';

const FILES: readonly (readonly [name: string, text: string | undefined])[] = [
  ['no file', undefined],
  ['an empty file', ''],
  ['a byte order mark alone', '\ufeff'],
  ['a byte order mark and Windows breaks', '\ufeff# Agent\r\n\r\nBe brief.\r\n'],
  ['no break at the end', '# Agent\nBe brief.'],
  ['Windows breaks and none at the end', '# Agent\r\nBe brief.'],
  ['mixed breaks', 'one\r\ntwo\nthree\r\nfour\rfive\n\n\n'],
  ['one break', '\n'],
  ['characters of every width', 'ä 漢 😀 \u0000 \u2028 end'],
  ['a section that a person made', `# Agent\n${BEGIN}\n${END}\nlast`],
  ['a section that a person made and wrote in', `${BEGIN}\n\n- mine\n${END}`],
];

describe('a rule in a file', () => {
  it('is one line with id, date and evidence, inside a marked section', () => {
    const text = edited(addRule('# Agent\n', rule('fix-1')));
    expect(text).toBe(
      `# Agent\n${BEGIN}\n${NOTE}\n- Read the file before you change it (fix-1). <!-- rsi-loop:rule fix-1 2026-01-05 rsi explain fix-1 -->\n${END}\n`,
    );
    expect(listRules(text)).toEqual({ kind: 'rules', rules: [rule('fix-1')] });
  });

  it.for(FILES)('comes and goes again without a trace: %s', ([, before]) => {
    const one = edited(addRule(before, rule('fix-1')));
    const two = edited(addRule(one, rule('fix-2')));
    expect(idsIn(two)).toEqual(['fix-1', 'fix-2']);
    expect(edited(removeRule(two, 'fix-2'))).toBe(one);
    expect(edited(removeRule(one, 'fix-1'))).toBe(before);
    const other = edited(removeRule(two, 'fix-1'));
    expect(edited(removeRule(other, 'fix-2'))).toBe(before);
  });

  it('is written once, and a rule that is not there is not removed', () => {
    const text = edited(addRule('x', rule('fix-1')));
    expect(addRule(text, rule('fix-1'))).toEqual({ kind: 'unchanged' });
    expect(addRule(text, rule('fix-1', { text: 'Something else.' }))).toEqual({ kind: 'unchanged' });
    expect(removeRule(text, 'fix-2')).toEqual({ kind: 'unchanged' });
    expect(removeRule('x', 'fix-1')).toEqual({ kind: 'unchanged' });
    expect(removeRule(undefined, 'fix-1')).toEqual({ kind: 'unchanged' });
  });

  it('keeps what a person made of it, and is found when a formatter wrapped it', () => {
    const text = edited(addRule('# Agent\n', rule('fix-1', { text: 'Ask before you delete anything.' })));
    const reworded = text?.replace('Ask before', 'Always ask before');
    expect(listRules(reworded)).toMatchObject({
      rules: [{ id: 'fix-1', text: 'Always ask before you delete anything.' }],
    });
    const wrapped = text?.replace('delete anything. ', 'delete\n  anything.\n  ').replace(`${NOTE}\n`, `${NOTE}\n\n`);
    expect(listRules(wrapped)).toMatchObject({ rules: [{ id: 'fix-1', text: 'Ask before you delete anything.' }] });
    expect(edited(removeRule(wrapped, 'fix-1'))).toBe('# Agent\n');
  });

  it('leaves to people what they wrote inside the section', () => {
    const text = edited(addRule('# Agent', rule('fix-1'))) ?? '';
    const both = text
      .replace(`${END}`, `My own line\n${END}`)
      .replace(`${BEGIN}\n`, `${BEGIN}\n- my item\n  - and below\n`);
    expect(edited(removeRule(both, 'fix-1'))).toBe('# Agent\n- my item\n  - and below\nMy own line');
  });

  it('is added the way the file breaks its lines', () => {
    expect(edited(addRule('a\r\nb\r\nc\n', rule('fix-1')))?.match(/\r\n/g)).toHaveLength(6);
    expect(edited(addRule('a\r\nb\nc\n', rule('fix-1')))?.match(/\r\n/g)).toHaveLength(1);
  });
});

describe('a damaged section', () => {
  const good = edited(addRule('# Agent\n', rule('fix-1'))) ?? '';
  it.for([
    ['no end', good.replace(`${END}\n`, ''), 'nothing ends'],
    ['no beginning', good.replace(`${BEGIN}\n`, ''), 'nothing begins'],
    ['two sections', good + good, 'second marker'],
    ['two ends', `${good}${END}\n`, 'second marker'],
    ['the end first', `${END}\n${BEGIN}\n`, 'before it begins'],
    ['a marker with words round it', good.replace(BEGIN, `see ${BEGIN}`), 'second marker'],
    ['a marker changed', good.replace(END, '<!-- RSI-loop:end-->'), 'second marker'],
    ['markers on one line', `${BEGIN}${END}\n`, 'second marker'],
    ['a rule twice', good.replace(END, `${good.split('\n')[3]}\n${END}`), 'delete one of them'],
    ['a rule outside', `${good.split('\n')[3]}\n${good}`, 'outside of the section'],
    ['a rule and no section', `${good.split('\n')[3]}\n`, 'outside of the section'],
    ['a rule that is no item', good.replace('- Read', 'Read'), 'outside of the section'],
    ['a comment cut off', good.replace('rsi explain fix-1 -->', 'rsi'), 'cannot be read'],
    ['a comment without its day', good.replace(' 2026-01-05', ''), 'cannot be read'],
  ])('is named and never guessed at: %s', ([, text = '', words = '']) => {
    for (const edit of [addRule(text, rule('fix-9')), removeRule(text, 'fix-1'), listRules(text)]) {
      expect(edit).toMatchObject({ kind: 'refused', why: 'damaged', message: expect.stringMatching(/^line \d+ /) });
      expect(edit).toMatchObject({ message: expect.stringContaining(words) });
    }
  });
});

describe('the text of a rule', () => {
  it.for(NOT_ALLOWED)('may not hold %s', ([, more]) => {
    expect(addRule('# Agent\n', rule('fix-1', more))).toMatchObject({ kind: 'refused', why: 'not-allowed' });
  });
});

describe('a full section', () => {
  it('makes room by retiring the least useful rules first, the oldest among equals', () => {
    const worth: Record<string, number> = { a: 3, b: 1, c: 2, d: 1 };
    let text = edited(addRule('# Agent\n', rule('a')));
    text = edited(addRule(text, rule('b', { date: '2026-02-01' })));
    text = edited(addRule(text, rule('c')));
    text = edited(addRule(text, rule('d', { date: '2026-01-01' })));
    const maxBytes = Buffer.byteLength(text ?? '') - Buffer.byteLength('# Agent\n');
    const usefulness = ({ id }: WrittenRule) => worth[id] ?? 0;
    const edit = addRule(text, rule('e', { text: `Read ${'x'.repeat(100)}.` }), { maxBytes, usefulness });
    expect(edit).toMatchObject({ kind: 'edited', retired: [{ id: 'd' }, { id: 'b' }] });
    expect(idsIn(edited(edit))).toEqual(['a', 'c', 'e']);
  });

  it('never retires what people wrote, and says when there is no room', () => {
    const text = `${BEGIN}\n${'mine '.repeat(50)}\n${END}\n`;
    expect(addRule(text, rule('a'), { maxBytes: 300 })).toMatchObject({ kind: 'refused', why: 'full' });
  });
});
