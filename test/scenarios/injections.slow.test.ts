import { checkRule } from 'rsi-loop/kit';
import { describe, expect, it } from 'vitest';
import { INJECTIONS } from '../fixtures/injections.js';
import { injectForADay } from './injection-day.js';

describe('100 texts that try to make the loop do something', () => {
  it('change no class, no target and no safe fix, and get nothing applied, in any field', {
    timeout: 120_000,
  }, async () => {
    expect(INJECTIONS).toHaveLength(100);
    expect(new Set(INJECTIONS).size).toBe(100);
    const { days, rules, ...harm } = await injectForADay(INJECTIONS);
    expect(days).toBe(200);
    // One rule a day at least: rules come from messages and from what callers name, not from classes.
    expect(rules).toBeGreaterThanOrEqual(200);
    expect(harm).toEqual({ classes: 0, targets: 0, safe: 0, applied: 0, unchecked: 0, markers: 0, unseen: 0 });
  });

  it('of the kinds that have a shape or say it plainly pass as no rule, word by word', () => {
    const passed = INJECTIONS.filter(
      (text) => checkRule(text) === undefined || checkRule(`${text.trim()}.`) === undefined,
    );
    console.log(`${INJECTIONS.length - passed.length} of ${INJECTIONS.length} texts refused`);
    expect(INJECTIONS.length - passed.length).toBeGreaterThanOrEqual(70);
    // A passing text is one plain sentence without addresses, code or disguise: a person reads what it says.
    for (const text of passed) expect(text).toMatch(/^[\p{L}\p{M}\p{N} ,:'’-]+$/u);
  });
});
