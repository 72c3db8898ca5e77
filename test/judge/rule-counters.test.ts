import { expect, it } from 'vitest';
import type { Fix } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { TrialFigures, Verdict } from '../../src/contract/verdict.js';
import { type CountersContext, countersOf } from '../../src/judge/rule-counters.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { ruleChange, someFix } from '../fix/fixtures.js';

const FIGURES = { counters: { helpful: 8, harmful: 2, atMs: 1_000 } } as unknown as TrialFigures; // the part that is read
const verdictOf = (kind: string) => ({ kind, atMs: 1_000, figures: FIGURES }) as unknown as Verdict; // see FIGURES

function counters(parts: Partial<Fix>, live?: TrialFigures) {
  const fix = someFix(ruleChange(), parts);
  const context = {
    ledger: { state: { fixes: new Map([[fix.id, fix]]) } },
    verifier: { figures: () => live },
    clock: new ManualClock(1_000),
  } as unknown as CountersContext; // the parts that are read
  return [countersOf(fix.id, context), countersOf('unknown' as FixId, context)];
}

it('a rule has the effect that its trial measured', () => {
  expect(counters({ status: 'trial' }, FIGURES)).toEqual([FIGURES.counters, undefined]);
  expect(counters({ status: 'confirmed', verdict: verdictOf('confirmed') }, FIGURES)[0]).toEqual(FIGURES.counters);
});

it('a rule that was rolled back has the effect of its verdict, but not that of an earlier confirmation', () => {
  expect(counters({ status: 'rolled-back', verdict: verdictOf('failed') })[0]).toEqual(FIGURES.counters);
  expect(counters({ status: 'rolled-back', verdict: verdictOf('confirmed') })[0]).toBeUndefined();
});

it('a rule that was never compared has no effect to show', () => {
  expect(counters({ status: 'proposed' })[0]).toBeUndefined();
});
