import { describe, expect, it } from 'vitest';
import type { RuleCounters } from '../../../src/contract/trial.js';
import type { TrialFigures, Verdict } from '../../../src/contract/verdict.js';
import { addRule } from '../../../src/fix/rules/edit-section.js';
import { ruleCounters, usefulnessOf } from '../../../src/fix/rules/usefulness.js';
import { DAY, START } from '../../analyze/make-outcome.js';

const counted = (helpful: number, harmful: number): RuleCounters => ({ helpful, harmful, atMs: START });
// Only what the counters are made of.
const figures = (helpful: number, harmful: number) => ({ counters: counted(helpful, harmful) }) as TrialFigures;
const ended = (helpful: number, harmful: number): Verdict => ({
  ...{ kind: 'confirmed', atMs: START },
  figures: figures(helpful, harmful),
});

describe('the counters of a rule', () => {
  it('are those of its trial and holdout, and where none is open any more those of its verdict', () => {
    expect(ruleCounters({}, figures(12, 3), START)).toEqual(counted(12, 3));
    expect(ruleCounters({ verdict: ended(12, 3) }, figures(20, 3), START)).toEqual(counted(20, 3));
    expect(ruleCounters({ verdict: ended(12, 3) }, undefined, START)).toEqual(counted(12, 3));
    const placebo = { asFarByItself: 1, moments: 3 };
    const applied: Verdict = { kind: 'inconclusive', why: 'not-randomised', atMs: START, placebo };
    expect(ruleCounters({ verdict: applied }, undefined, START)).toBeUndefined();
    expect(ruleCounters({}, undefined, START)).toBeUndefined();
  });

  it('halve in 90 days, both alike', () => {
    expect(ruleCounters({}, figures(12, 3), START + 90 * DAY)).toEqual({
      ...{ helpful: 6, harmful: 1.5, atMs: START + 90 * DAY },
    });
    expect(usefulnessOf(ruleCounters({}, figures(12, 3), START + 180 * DAY))).toBe(2.25);
    // A clock that was set back makes nothing count for more.
    expect(ruleCounters({}, figures(12, 3), START - 90 * DAY)).toEqual(counted(12, 3));
  });

  it('decide which rule makes room: harm first, then what was never shown, then what helped least', () => {
    const counters: Record<string, RuleCounters> = {
      harms: counted(5, 20),
      helps: counted(40, 5),
      little: counted(6, 5),
    };
    const line = (id: string) => ({ id, text: `Rule ${id}.`, date: '2026-01-05', evidence: `rsi explain ${id}` });
    const written = (ids: readonly string[]) =>
      ids.reduce<string | undefined>((text, id) => {
        const edit = addRule(text, line(id));
        return edit.kind === 'edited' ? edit.text : text;
      }, undefined) ?? '';
    const full = written(['helps', 'unknown', 'little', 'harms']);
    const edit = addRule(
      full,
      { ...line('new'), text: `Rule ${'n'.repeat(120)}.` },
      { maxBytes: full.length, usefulness: ({ id }) => usefulnessOf(counters[id]) },
    );
    expect(edit.kind === 'edited' && edit.retired.map(({ id }) => id)).toEqual(['harms', 'unknown', 'little']);
  });
});
