import { describe, expect, it } from 'vitest';
import { readRule, ruleLineProblem, type WrittenRule, writeRule } from '../../../src/fix/rules/rule-line.js';

const RULE: WrittenRule = { id: 'fix-1', text: 'Read the file.', date: '2026-01-31', evidence: 'rsi explain fix-1' };
const LINE = '- Read the file. <!-- rsi-loop:rule fix-1 2026-01-31 rsi explain fix-1 -->';

describe('a rule that may be written', () => {
  it.for<[Partial<WrittenRule>]>([
    [{}],
    [{ id: 'A.b_c-9' }],
    [{ id: 'i'.repeat(64) }],
    [{ date: '2026-12-10' }],
    [{ date: '2026-10-29' }],
    [{ text: '“Ship it” needs a person.' }],
    [{ text: '3 files at most.' }],
    [{ text: '(Rarely) skip a file.' }],
    [{ text: 't'.repeat(300) }],
    [{ evidence: 'e'.repeat(200) }],
    [{ evidence: 'e' }],
  ])('is one line that reads back: %j', ([parts]) => {
    const rule = { ...RULE, ...parts };
    expect(ruleLineProblem(rule)).toBeUndefined();
    expect(readRule(writeRule(rule))).toEqual(rule);
  });

  it.for<[Partial<WrittenRule>, string]>([
    [{ id: '-a' }, 'its id "-a" is not an id'],
    [{ id: 'a-' }, 'its id "a-" is not an id'],
    [{ id: 'a--b' }, 'its id "a--b" is not an id'],
    [{ id: 'i'.repeat(65) }, 'its id "iiii'],
    [{ id: 'a\nb' }, 'is not an id'],
    [{ date: '2026-13-01' }, 'its date "2026-13-01" is not a day: write it as 2026-01-31'],
    [{ date: '2026-00-01' }, 'is not a day'],
    [{ date: '2026-01-32' }, 'is not a day'],
    [{ date: '2026-01-00' }, 'is not a day'],
    [{ date: 'on 2026-01-01' }, 'is not a day'],
    [{ date: '2026-01-01T00' }, 'is not a day'],
    [{ text: 't'.repeat(301) }, 'its text has 301 characters of at most 300'],
    [{ text: 'Read. ' }, 'does not begin and end as a sentence does'],
    [{ text: '*Read.' }, 'does not begin and end as a sentence does'],
    [{ text: 'Read\u200b.' }, 'a character that cannot be seen'],
    [{ text: 'Read ~~~ this.' }, 'its text holds "~~~", which would end the line of the rule'],
    [{ text: 'Read RSI-Loop: this.' }, 'its text holds "rsi-loop:"'],
    [{ evidence: '' }, 'its evidence "" is not a link: 1 to 200 characters'],
    [{ evidence: 'e'.repeat(201) }, 'is not a link: 1 to 200 characters'],
    [{ evidence: ' e' }, 'is not a link'],
    [{ evidence: 'a\tb' }, 'would end its comment'],
    [{ evidence: 'a > b' }, 'would end its comment'],
    [{ evidence: 'a < b' }, 'would end its comment'],
    [{ evidence: 'a -- b' }, 'would end its comment'],
  ])('is not one with %j', ([parts, problem]) => {
    expect(ruleLineProblem({ ...RULE, ...parts })).toContain(problem);
  });
});

describe('a line of a file', () => {
  it.for<[string, string | Partial<WrittenRule> | undefined]>([
    ['- an item of a person', undefined],
    [LINE, RULE],
    [`  * ${LINE.slice(2)} And more.`, { ...RULE, text: 'Read the file. And more.' }],
    [LINE.replace('- ', '-'), { ...RULE, text: '-Read the file.' }],
    [LINE.replace(' -->', ''), 'damaged'],
    [LINE.replace('<!-- ', '<!--'), 'damaged'],
    [LINE.replace('fix-1 ', 'fix--1 '), 'damaged'],
    [LINE.replace('2026-01-31', '2026-01-41'), 'damaged'],
    [LINE.replace(' rsi explain fix-1', ''), 'damaged'],
    [`${LINE} <!-- rsi-loop:rule fix-2 2026-01-31 x -->`, 'damaged'],
  ])('%s', ([line, found]) => {
    expect(readRule(line)).toEqual(found);
  });
});
