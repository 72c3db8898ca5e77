import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addRule, listRules, removeRule } from '../../../src/fix/rules/edit-section.js';
import { BEGIN, END } from '../../../src/fix/rules/section.js';
import { type Edited, writeByHand } from './people.js';
import { edited, idsIn, NOT_ALLOWED, rule } from './written-rules.js';

describe('random histories of rules and people', () => {
  const line = fc.constantFrom(
    'text',
    '',
    '- item',
    '  indented',
    '# head',
    '```',
    '<!-- a comment -->',
    '\ttab',
    'ä😀',
  );
  const lineBreak = fc.constantFrom('\n', '\r\n');
  const file = fc
    .tuple(
      fc.constantFrom('', '\ufeff'),
      fc.array(fc.tuple(line, lineBreak), { maxLength: 6 }),
      fc.constantFrom('', 'open end', '\r'),
    )
    .map(([bom, lines, end]): string | undefined => bom + lines.flat().join('') + end);
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), id: fc.constantFrom('r1', 'r2', 'r3') }),
    fc.record({ kind: fc.constant('remove' as const), id: fc.constantFrom('r1', 'r2', 'r3') }),
    fc.record({ kind: fc.constant('person' as const), at: fc.nat(), number: fc.nat({ max: 9_999 }) }),
  );

  it('end with the bytes that people alone would have left', () => {
    fc.assert(
      fc.property(fc.option(file, { nil: undefined }), fc.array(step, { maxLength: 12 }), (start, steps) => {
        let file: Edited = { text: start, people: start };
        for (const each of [...steps, ...['r1', 'r2', 'r3'].map((id) => ({ kind: 'remove' as const, id }))]) {
          if (each.kind === 'person') {
            file = writeByHand(file, each.at, `person ${each.number}`);
            continue;
          }
          const edit = each.kind === 'add' ? addRule(file.text, rule(each.id)) : removeRule(file.text, each.id);
          if (edit.kind === 'refused') throw new Error(edit.message);
          if (edit.kind === 'edited') file = { ...file, text: edit.text };
        }
        expect(file.text).toBe(file.people);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('a random text of a rule', () => {
  it('can never do more than fill its line', () => {
    const parts = fc.constantFrom(
      ...NOT_ALLOWED.map(([, { text }]) => text ?? '-->'),
      'Read',
      ' ',
      '<',
      '!--',
      '--',
      '>',
      '`',
      'é',
    );
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(parts, { maxLength: 8 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(hostile, fc.oneof(hostile, fc.constant('rsi explain 1')), (text, evidence) => {
        const before = edited(addRule('# Agent\n', rule('fix-1')));
        const edit = addRule(before, rule('fix-2', { text, evidence }));
        if (edit.kind === 'refused') return;
        const after = edited(edit);
        expect(idsIn(after)).toEqual(['fix-1', 'fix-2']);
        expect(after?.split(/\r\n|[\n\r\u2028\u2029]/)).toHaveLength((before?.split('\n').length ?? 0) + 1);
        expect(edited(removeRule(after, 'fix-2'))).toBe(before);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('a hostile section', () => {
  it('is read in time that grows with the file alone', () => {
    // Quadratic work would take minutes and run into the limit of the test.
    const hostile = [
      '<!-- rsi-loop:rule '.repeat(20_000),
      ' '.repeat(500_000),
      '- \n  '.repeat(100_000),
      '\n'.repeat(500_000),
    ];
    const found = hostile.map((text) => listRules(`${BEGIN}\n${text}\n${END}\n`).kind);
    expect(found).toEqual(['refused', 'rules', 'rules', 'rules']);
  });
});
