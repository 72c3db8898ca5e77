import { describe, expect, it } from 'vitest';
import { RuleComparison } from '../../src/fix/compare-rules.js';

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
