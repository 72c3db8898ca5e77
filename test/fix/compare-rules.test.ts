import { describe, expect, it } from 'vitest';
import { RuleComparison, rulesIn } from '../../src/fix/compare-rules.js';

describe('RuleComparison', () => {
  const one = 'Compare the totals of the report with the invoice.';
  const same = 'Compare the total of the report with the invoice.';
  const opposite = 'Never compare the totals of the report with the invoice.';

  it.each([
    ['tells what says the same', (rules: RuleComparison) => rules.saysTheSame(one, same)],
    ['finds what contradicts', (rules: RuleComparison) => rules.contradicted(one, [opposite]).length === 1],
  ])('%s at any fill of its memory, also when it becomes full between two texts', (_, holds) => {
    // It keeps 5,000 texts: each of these leaves room for none, one, two ... when the comparison begins.
    for (const count of [4_997, 4_998, 4_999, 5_000, 5_001]) {
      const rules = new RuleComparison();
      rules.contradicted(
        'Name the unit of every number.',
        Array.from({ length: count - 1 }, (__, i) => `Filler ${i}.`),
      );
      expect(holds(rules), `after ${count} texts`).toBe(true);
    }
  });
});

describe('two rules say the same', () => {
  it.for<[boolean, string, string]>([
    // Three of four words in common are enough, three of five are not.
    [true, 'Count red green blue.', 'Count red green.'],
    [true, 'Count red green.', 'Count red green blue.'],
    [false, 'Count red green blue grey.', 'Count red green.'],
    // Words that say nothing of the topic do not count, nor does their order.
    [true, 'Always read the notes before you deploy.', 'When you deploy, first read notes.'],
    [false, 'You must always do it.', 'Please use this one.'],
    // Plurals, participles and doubled letters are one word.
    [true, 'List files.', 'List file.'],
    [true, 'List matches.', 'List match.'],
    [true, 'Name notes.', 'Name note.'],
    [true, 'Check addresses.', 'Check address.'],
    [true, 'Sort strings.', 'Sort string.'],
    [true, 'Plan calling.', 'Plan calls.'],
    [true, 'Plan writing.', 'Plan write.'],
    [true, 'Plan running.', 'Plan run.'],
    [true, 'Plan testing.', 'Plan test.'],
    [true, 'Plan testing testing.', 'Plan test.'],
    [false, 'Bring king.', 'Bring k.'],
    [false, 'Drink gas.', 'Drink ga.'],
    [false, 'Drink yes.', 'Drink y.'],
    // Two negations are none.
    [false, 'Never count totals twice.', 'Count totals twice.'],
    [true, "Don't stop counting totals twice.", 'Count totals twice.'],
    // A quotation narrows a rule only if both have one.
    [true, 'Count totals of “sales” reports.', 'Count totals of sales reports.'],
    [
      false,
      'Count all daily totals of the “sales” report twice.',
      'Count all daily totals of the “stock” report twice.',
    ],
    [
      true,
      'Count all daily totals of the “sales” report and “stock” twice.',
      'Count all daily totals of the “stock” report sales twice.',
    ],
  ])('%j: %s / %s', ([alike, one, other]) => {
    const rules = new RuleComparison();
    expect([rules.saysTheSame(one, other), rules.saysTheSame(other, one)]).toEqual([alike, alike]);
  });
});

describe('a rule contradicts another', () => {
  it.for<[boolean, string, string]>([
    [true, 'Never retry a failed payment.', 'Retry a failed payment at once.'],
    [true, 'Never retry payments.', 'Retry payments of every shop and country.'],
    // Half of the shorter one is enough.
    [true, 'Never retry payments.', 'Retry orders of shops.'],
    [false, 'Never retry payments today.', 'Retry orders of shops.'],
    // One word is about too little, and equal signs are no contradiction.
    [false, 'Never retry.', 'Retry payments.'],
    [false, 'Never retry payments.', 'Never retry payments again.'],
    [false, 'Retry payments.', 'Retry payments again.'],
  ])('%j: %s / %s', ([contradicts, one, other]) => {
    const rules = new RuleComparison();
    expect(rules.contradicted(one, [other])).toEqual(contradicts ? [other] : []);
    expect(rules.contradicted(other, ['Be brief in answers.', one])).toEqual(contradicts ? [one] : []);
  });
});

describe('the rules that people wrote in a file', () => {
  it.for<[string, readonly string[]]>([
    ['- one rule\n* two\nx\n+ three\n1. four\n123) five', ['one rule', 'two', 'three', 'four', 'five']],
    ['- windows\r\n- breaks\r\n', ['windows', 'breaks']],
    ['text\n# Head\n-no item\n1234. no item\n', []],
    ['        - eight deep\n         - nine deep\n', ['eight deep']],
    ['- ab\n- abc\n', ['abc']],
    [`- ${'x'.repeat(600)}\n- ${'x'.repeat(601)}\n`, ['x'.repeat(600)]],
    ['- kept <!-- a note --> rule <!-- open\n', ['kept  rule']],
    ['```\n- code\n```\n- rule\n', ['rule']],
    ['   ~~~ sh\n- code\n```\n- code\n~~~\n- rule\n', ['rule']],
    ['    ```\n- rule\n', ['rule']],
  ])('are the items of its lists outside of code: %j', ([markdown, rules]) => {
    expect(rulesIn(markdown)).toEqual(rules);
  });

  it('are read from the first 5,000 lines', () => {
    expect(rulesIn(`${'\n'.repeat(4_999)}- last\n- beyond`)).toEqual(['last']);
  });
});
