import type { Comparison } from 'rsi-loop/bench';
import { describe, expect, it } from 'vitest';
import type { StepBody } from '../../../integrations/improve/improvement-step.js';
import type { ImprovementStep } from '../../../integrations/improve/index.js';
import { readiness } from '../../../integrations/improve/readiness.js';

const HOUR_MS = 3_600_000;
const spent = { runs: 1, usd: 0, tokens: 0, minutes: 0 };
const started = {
  kind: 'started',
  suite: 'amounts',
  problems: { open: 1, heldOut: 1 },
  start: {},
  rounds: 10,
  budget: {},
} as const;
const ended = { kind: 'ended', why: 'rounds' } as const;

/** Steps one minute apart. */
const steps = (bodies: readonly StepBody[], firstMs = 0): readonly ImprovementStep[] =>
  bodies.map((body, at) => ({ ...body, atMs: firstMs + at * 60_000, spent }));

const decided = (round: number, isKept: boolean, comparison?: Comparison): StepBody => ({
  kind: 'decided',
  round,
  draft: {},
  version: `v${round}`,
  baseline: 'v0',
  isKept,
  ...(comparison && { comparison }),
});
const rounds = (count: number, kept: number) =>
  Array.from({ length: count }, (_, index) => decided(index + 1, index < kept));
const BROKEN = { kind: 'worse', why: 'losses', loses: [] } as unknown as Comparison; // the figures do not matter

const met = (improvements: readonly (readonly ImprovementStep[])[], nowMs = HOUR_MS) =>
  readiness(improvements, nowMs).conditions.map(({ isMet, value }) => [isMet, value]);

describe('the gate before improvement runs unattended', () => {
  it('opens after ten rounds without a crash, three accepted drafts and a day without a regression', () => {
    const { isReady, conditions } = readiness([steps([started, ...rounds(10, 3), ended])], HOUR_MS);
    expect(isReady).toBe(true);
    expect(conditions).toEqual([
      { name: 'rounds-without-crash', isMet: true, value: 10, needed: 10 },
      { name: 'accepted', isMet: true, value: 3, needed: 3 },
      { name: 'no-regression', isMet: true, value: 0, needed: 0 },
    ]);
    expect(readiness([], HOUR_MS).isReady).toBe(false);
  });

  it('counts rounds and accepted drafts of all improvements of the suite', () => {
    const first = steps([started, ...rounds(6, 2), ended]);
    const second = steps([started, ...rounds(4, 1), ended], 20 * 60_000);
    expect(met([first, second])).toEqual([
      [true, 10],
      [true, 3],
      [true, 0],
    ]);
  });

  it('counts rounds from the last crash: a resumed process, or one that has not ended', () => {
    const crashed = [started, ...rounds(8, 3), { kind: 'resumed' }, ...rounds(2, 0), ended] as const;
    expect(met([steps(crashed)])).toEqual([
      [false, 2],
      [true, 3],
      [true, 0],
    ]);
    expect(met([steps([started, ...rounds(12, 3)])])).toEqual([
      [false, 0],
      [true, 3],
      [true, 0],
    ]);
  });

  it('is closed for a day by a draft that breaks a solved problem, and by a person who rejects one', () => {
    const broken = steps([started, ...rounds(10, 3), decided(11, false, BROKEN), ended]);
    expect(met([broken])).toEqual([
      [true, 11],
      [true, 3],
      [false, 1],
    ]);
    expect(met([broken], 26 * HOUR_MS)).toEqual([
      [true, 11],
      [true, 3],
      [true, 0],
    ]);
    const rejected = steps([started, ...rounds(10, 3), ended, { kind: 'rejected', version: 'v2', by: 'ada' }]);
    expect(met([rejected])).toEqual([
      [true, 10],
      [false, 2],
      [false, 1],
    ]);
  });
});
