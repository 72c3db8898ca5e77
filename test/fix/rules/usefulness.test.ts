import { describe, expect, it } from 'vitest';
import { addRule } from '../../../src/fix/rules/edit-section.js';
import { ruleCounters, worthOf } from '../../../src/fix/rules/usefulness.js';
import type { Fix } from '../../../src/records.js';
import { DAY, START } from '../../analyze/make-outcome.js';

const arms = (failuresWith: number, failuresWithout: number) => ({
  fix: { units: 10, tasks: 100, failures: failuresWith },
  control: { units: 20, tasks: 200, failures: failuresWithout },
});

/** A rule in force since START, whose trial ended so. */
function ruled(failuresWith: number, failuresWithout: number): Fix {
  // Only what the worth is made of.
  return { changedMs: START, verdict: { kind: 'confirmed', figures: arms(failuresWith, failuresWithout) } } as Fix;
}

describe('the counters of a rule', () => {
  it('are the failures it spared or brought, compared with the sessions that went without it', () => {
    expect(ruleCounters(arms(10, 80))).toEqual({ helpful: 30, harmful: 0 });
    expect(ruleCounters(arms(50, 40))).toEqual({ helpful: 0, harmful: 30 });
    expect(ruleCounters({ ...arms(3, 0), control: { units: 0, tasks: 0, failures: 0 } })).toEqual({
      helpful: 0,
      harmful: 0,
    });
  });

  it('count half after 90 days, and nothing where nothing was shown', () => {
    expect(worthOf(ruled(10, 80), START)).toBe(30);
    expect(worthOf(ruled(10, 80), START + 90 * DAY)).toBe(15);
    expect(worthOf(ruled(50, 40), START)).toBe(-30);
    expect(worthOf(undefined, START)).toBe(0);
    expect(worthOf({ changedMs: START } as Fix, START)).toBe(0); // kept although it was not shown to help
  });

  it('decide which rule makes room: harm first, then what was never shown, then what helped least', () => {
    const fixes: Record<string, Fix | undefined> = {
      harms: ruled(50, 40),
      helps: ruled(10, 80),
      little: ruled(38, 80),
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
      {
        maxBytes: full.length,
        usefulness: ({ id }) => worthOf(fixes[id], START),
      },
    );
    expect(edit.kind === 'edited' && edit.retired.map(({ id }) => id)).toEqual(['harms', 'unknown', 'little']);
  });
});
