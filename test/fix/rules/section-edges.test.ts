import { describe, expect, it } from 'vitest';
import { addRule, listRules, removeRule } from '../../../src/fix/rules/edit-section.js';
import { BEGIN, END, NOTE, NOTE_OF_OWN_FILE, readSection } from '../../../src/fix/rules/section.js';

const line = (id: string, text = 'Read the file.') =>
  `- ${text} <!-- rsi-loop:rule ${id} 2026-01-05 rsi explain ${id} -->`;
const rule = (id: string, text = 'Read the file.') => ({ id, text, date: '2026-01-05', evidence: `rsi explain ${id}` });
const textOf = (edit: ReturnType<typeof addRule>) => (edit.kind === 'edited' ? edit.text : edit);
const file = (...lines: string[]) => `${lines.join('\n')}\n`;

describe('a new section', () => {
  it.for<[string, string | undefined, string]>([
    ['is the whole file if there was none', undefined, file(BEGIN, NOTE_OF_OWN_FILE, line('a'), END)],
    ['is the whole file if it was empty', '', file(BEGIN, NOTE, line('a'), END)],
    ['stays open at the end, as the file was', '# Agent', `# Agent\n${BEGIN}\n${NOTE}\n${line('a')}\n${END}`],
    ['follows the byte order mark', '\ufeff# Agent\n', `\ufeff${file('# Agent', BEGIN, NOTE, line('a'), END)}`],
    [
      'breaks lines as most of the file does',
      'a\r\nb\r\nc\n',
      `a\r\nb\r\nc\n${[BEGIN, NOTE, line('a'), END].join('\r\n')}\r\n`,
    ],
    ['breaks lines with \\n if both are as frequent', 'a\r\nb\n', `a\r\nb\n${file(BEGIN, NOTE, line('a'), END)}`],
  ])('%s', ([, before, after]) => {
    const edit = addRule(before, rule('a'));
    expect(textOf(edit)).toBe(after);
    expect(textOf(removeRule(after, 'a'))).toBe(before);
  });
});

describe('a section of a person', () => {
  it('gets its rules as its last lines, and stays when they go', () => {
    const before = file('# Agent', BEGIN, '- mine', END, 'end');
    const one = file('# Agent', BEGIN, '- mine', line('a'), END, 'end');
    expect(textOf(addRule(before, rule('a')))).toBe(one);
    const below = one.replace(END, `below\n${END}`);
    const two = file('# Agent', BEGIN, '- mine', line('a'), line('b'), 'below', END, 'end');
    expect(textOf(addRule(below, rule('b')))).toBe(two);
    expect(textOf(removeRule(two, 'a'))).toBe(two.replace(`${line('a')}\n`, ''));
    expect(textOf(removeRule(one, 'a'))).toBe(before);
  });

  it('breaks its lines as its first marker does, or with \\n', () => {
    expect(textOf(addRule(`${BEGIN}\r\n${END}`, rule('a')))).toBe(`${BEGIN}\r\n${line('a')}\r\n${END}`);
    expect(textOf(addRule(`x\r\ny\r\n${BEGIN}\n${END}\n`, rule('a')))).toBe(
      `x\r\ny\r\n${BEGIN}\n${line('a')}\n${END}\n`,
    );
  });
});

describe('the last rule of a section of ours', () => {
  it('takes markers, note and the blank lines of a formatter with it', () => {
    const text = file('# Agent', BEGIN, '', NOTE, '', line('a'), '', END, 'end');
    expect(textOf(removeRule(text, 'a'))).toBe(file('# Agent', 'end'));
  });

  it('leaves the blank lines if a person wrote between them', () => {
    const text = file('# Agent', BEGIN, NOTE, '', 'mine', line('a'), END, 'end');
    expect(textOf(removeRule(text, 'a'))).toBe(file('# Agent', '', 'mine', 'end'));
  });

  it('removes the file that was made for it, unless a person wrote in it', () => {
    const own = file(BEGIN, NOTE_OF_OWN_FILE, line('a'), END);
    expect(removeRule(own, 'a')).toEqual({ kind: 'edited', text: undefined, retired: [] });
    expect(textOf(removeRule(`${own}mine\n`, 'a'))).toBe('mine\n');
    expect(textOf(removeRule(`\ufeff${own}`, 'a'))).toBe('\ufeff');
    expect(textOf(removeRule(file(BEGIN, NOTE, line('a'), END), 'a'))).toBe('');
  });

  it('takes back only the line break that it added to an open end', () => {
    const open = (before: string) => textOf(addRule(before, rule('a')));
    for (const before of ['x', 'x\r', 'x\r\ny', 'x\ny'])
      expect(textOf(removeRule(open(before) as string, 'a'))).toBe(before);
  });
});

describe('the rules of a file', () => {
  it('are listed with the words that people gave them, in order', () => {
    const text = file(BEGIN, line('b'), '- mine', `* Reworded. ${line('a').slice(17)}`, END);
    expect(listRules(text)).toEqual({ kind: 'rules', rules: [rule('b'), rule('a', 'Reworded.')] });
    expect(listRules(undefined)).toEqual({ kind: 'rules', rules: [] });
    expect(listRules('text\n')).toEqual({ kind: 'rules', rules: [] });
  });

  it('may be wrapped over indented lines', () => {
    const wrapped = line('a', 'Read the\n  whole file\n\tbefore you go on.').replace(' <!--', '\n  <!--');
    expect(listRules(file(BEGIN, wrapped, '  - below', 'x', END))).toEqual({
      kind: 'rules',
      rules: [rule('a', 'Read the whole file before you go on.')],
    });
  });

  it('end before an end marker that a formatter indented', () => {
    expect(listRules(file(BEGIN, line('a'), `  ${END}`))).toEqual({ kind: 'rules', rules: [rule('a')] });
    expect(listRules(file(BEGIN, `${line('a')} Then`, '  go on.', END))).toMatchObject({
      rules: [{ id: 'a', text: 'Read the file. Then go on.' }],
    });
  });

  it.for<[string, string, string]>([
    ['a comment of a rule below', file(BEGIN, END, '- x', `  ${line('a').slice(2)}`), 'line 4 holds a rule outside'],
    ['an end alone', file('x', END), `line 2 ends a section that nothing begins: write ${BEGIN} above`],
    ['a beginning alone', file('x', BEGIN), `line 2 begins a section that nothing ends: write ${END} below`],
    ['the end first', file(END, BEGIN), 'line 1 ends the section before it begins'],
    ['a third marker', file(BEGIN, END, 'x', BEGIN), 'line 4 is a second marker'],
    ['a marker in another line', file('x', 'see RSI-loop:END', BEGIN, END), 'line 2 is a second marker'],
    ['a rule twice', file(BEGIN, line('a'), line('b'), line('a'), END), 'line 4 holds rule a, as line 2 does'],
    ['a rule above', file(line('a'), BEGIN, END), 'line 1 holds a rule outside of the section'],
    ['a rule below', file(BEGIN, END, 'x', line('a')), 'line 4 holds a rule outside of the section'],
    ['a rule that is no item', file(BEGIN, line('a').slice(2), END), 'line 2 holds a rule outside of the section'],
    ['a rule without a section', file('x', line('a')), 'line 2 holds a rule outside of the section'],
    ['a damaged rule', file('x', BEGIN, line('a').replace(' -->', ''), END), 'line 3 holds a comment of a rule that'],
  ])('cannot be read with %s', ([, text, message]) => {
    expect(readSection(text)).toEqual({ kind: 'refused', why: 'damaged', message: expect.stringContaining(message) });
  });
});

describe('a full section', () => {
  const filled = file('# Agent', BEGIN, line('b'), line('a'), line('c'), END);
  const bytes = new TextEncoder().encode(filled).byteLength - '# Agent\n'.length;
  const added = (id: string, maxBytes: number) => addRule(filled, rule(id), { maxBytes });

  it('holds as many bytes as it may, and gives up the rule of the first id among equals', () => {
    const size = bytes + line('d').length + 1;
    expect(added('d', size)).toMatchObject({ retired: [] });
    expect(added('d', size - 1)).toMatchObject({ retired: [{ id: 'a' }] });
    expect(added('d', bytes - 1)).toMatchObject({ retired: [{ id: 'a' }, { id: 'b' }] });
  });

  it('counts bytes, not characters', () => {
    const wide = rule('d', 'é'.repeat(100));
    const size = bytes + line('d', wide.text).length + 1;
    expect(addRule(filled, wide, { maxBytes: size })).toMatchObject({ retired: [{ id: 'a' }, { id: 'b' }] });
    expect(addRule(filled, wide, { maxBytes: size + 100 })).toMatchObject({ retired: [] });
  });

  it('rejects a rule that has no room even alone', () => {
    expect(added('d', 60)).toEqual({
      ...{ kind: 'refused', why: 'full' },
      message: expect.stringMatching(/^the section would have \d+ bytes of at most 60: shorten/),
    });
  });

  it('is 8,192 bytes unless stated otherwise', () => {
    const base = `${BEGIN}\n${END}\n`;
    const room = 8_192 - base.length - line('d').length - 1;
    const text = (spare: number) => `${BEGIN}\n${'m'.repeat(room - spare - 1)}\n${END}\n`;
    expect(addRule(text(0), rule('d'))).toMatchObject({ kind: 'edited' });
    expect(addRule(text(-1), rule('d'))).toMatchObject({ kind: 'refused', why: 'full' });
  });

  it('names the rule that may not be written', () => {
    expect(addRule(filled, rule('a b'))).toEqual({
      ...{ kind: 'refused', why: 'not-allowed' },
      message: expect.stringMatching(/^rule "a b": its id "a b" is not an id/),
    });
    expect(addRule(filled, rule('i'.repeat(70)))).toMatchObject({
      message: expect.stringContaining(`rule "${'i'.repeat(64)}": `),
    });
  });
});
