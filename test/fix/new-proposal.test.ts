import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/contract/fix.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import { ruleKind } from '../../src/fix/kinds/rule-kind.js';
import { newProposal } from '../../src/fix/new-proposal.js';
import { OpenFixes } from '../../src/fix/open-fixes.js';
import { RuleFiles } from '../../src/fix/rule-files.js';
import { policyChange, policyOnly, ruleChange, someFix, somePattern } from './fixtures.js';

const kinds = new ChangeKinds([
  policyOnly(),
  ruleKind({ files: new RuleFiles({ report: () => {} }), countersOf: () => undefined }),
]);

function news(chosen: Fix | undefined, before?: Fix) {
  const open = new OpenFixes([], () => false);
  const found = newProposal(chosen, open, new Map(before && [[before.id, before]]), kinds);
  return { found, covering: open.covering(somePattern()) };
}

describe('a proposal that was made before', () => {
  const before = someFix(policyChange(), { proposedMs: 5 });
  const again = (parts: Partial<Fix> = {}) => someFix(policyChange(), { proposedMs: 900, ...parts });

  it('is no news, and blocks others all the same', () => {
    expect(news(again(), before)).toMatchObject({ found: [], covering: { id: 'fix-1' } });
    const tasks = before.forecast.kind === 'testable' ? before.forecast.tasks : 0;
    const similar = { kind: 'testable', tasks: Math.ceil(tasks / 1.9) } as const;
    expect(news(again({ reason: 'other figures', forecast: similar }), before).found).toEqual([]);
  });

  it.for<[string, Fix]>([
    ['its value changed', someFix(policyChange({ set: { 'retries.network': 3 } }))],
    ['a step is missing now', again({ needs: 'call loop.run' })],
    [
      'its failures became so frequent that a trial takes a fifth of the tasks',
      again({ forecast: { kind: 'testable', tasks: 1 } }),
    ],
    ['a trial could not decide any more', again({ forecast: { kind: 'not-testable', reason: 'too rare' } })],
  ])('is news, since its first day, if %s', ([, fix]) => {
    expect(news(fix, before).found).toEqual([{ ...fix, proposedMs: 5 }]);
  });

  it('is new from now on if it had ended, or was never made', () => {
    expect(news(again(), { ...before, status: 'superseded' }).found).toEqual([again()]);
    expect(news(again()).found).toEqual([again()]);
    expect(news(undefined, before)).toEqual({ found: [], covering: undefined });
  });
});

describe('the wording of a waiting rule', () => {
  const worded = ruleChange({ text: 'Count each total twice before you answer.' });
  const byModel = someFix(worded, {
    wordedBy: 'haiku',
    reason: 'worded by haiku',
    confidence: 0.7,
    contradicts: ['Never count twice.'],
  });
  const template = someFix(ruleChange(), { reason: 'a template', confidence: 0.5, contradicts: ['Do not compare.'] });
  const kept = (before: Fix, fix: Fix = template) => news({ ...fix, needs: 'a step' }, before).found[0];

  it('by a model stays if only a template has words now, with all that was said about it', () => {
    expect(kept(byModel)).toEqual({ ...byModel, needs: 'a step' });
    const { confidence: _, contradicts: __, ...bare } = byModel;
    expect(kept(bare)).toEqual({ ...bare, confidence: 0.5, needs: 'a step' });
  });

  it('gives way to new words of a model, and is not kept of a rule that has ended', () => {
    const anew = someFix(ruleChange(), { wordedBy: 'opus' });
    expect(kept(byModel, anew)).toEqual({ ...anew, needs: 'a step' });
    expect(kept({ ...byModel, status: 'expired' })).toEqual({ ...template, needs: 'a step' });
    expect(kept(template, someFix(worded))).toEqual({ ...someFix(worded), needs: 'a step' });
  });
});
