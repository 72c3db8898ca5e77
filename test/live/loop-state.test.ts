import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/contract/fix.js';
import type { Components } from '../../src/judge/components.js';
import { fixesOf, UNKNOWN_HEALTH, unfinishedReport } from '../../src/live/loop-state.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { ruleChange, somePattern } from '../fix/fixtures.js';
import { proposedFix } from '../ledger/fixtures.js';

const fixOf = (id: string, proposedMs: number, parts: Partial<Fix> = {}): Fix => ({
  ...proposedFix(id),
  proposedMs,
  ...parts,
});
const componentsWith = (fixes: readonly Fix[]) =>
  ({
    clock: new ManualClock(7_000),
    ledger: { state: { fixes: new Map(fixes.map((fix) => [fix.id, fix])) } },
  }) as unknown as Components; // the parts that are read

describe('the list of fixes', () => {
  const components = componentsWith([
    fixOf('b', 5),
    fixOf('old', 1, { status: 'trial' }),
    fixOf('a', 5, { task: 'mail' }),
    fixOf('new', 9, { change: ruleChange() }),
  ]);
  const ids = (filter?: Parameters<typeof fixesOf>[1]) => fixesOf(components, filter).map(({ id }) => id);

  it('has the newest first, and those of one moment in the order of their ids', () => {
    expect(ids()).toEqual(['new', 'a', 'b', 'old']);
  });

  it('can be limited to a status, a task and a kind of change', () => {
    expect(ids({ status: 'trial' })).toEqual(['old']);
    expect(ids({ task: 'mail' })).toEqual(['a']);
    expect(ids({ kind: 'rule' })).toEqual(['new']);
    expect(ids({ kind: 'policy', status: 'proposed', task: 'api_call' })).toEqual(['b']);
  });
});

describe('the report of a cycle that was cut short', () => {
  const components = componentsWith([fixOf('a', 1)]);

  it('says why, and has what is known so far', () => {
    const report = unfinishedReport(components, 'disk full', {
      patterns: () => [somePattern()],
      health: () => ({ ...UNKNOWN_HEALTH, score: 0.5 }),
    });
    expect(report).toMatchObject({ atMs: 7_000, unfinished: 'disk full', verdicts: [], fixes: [{ id: 'a' }] });
    expect([report.patterns.length, report.health.score]).toEqual([1, 0.5]);
  });

  it('is complete even if the fault that ended the cycle occurs again', () => {
    const fail = () => {
      throw new Error('again');
    };
    expect(unfinishedReport(components, 'disk full', { patterns: fail, health: fail })).toMatchObject({
      ...{ patterns: [], health: UNKNOWN_HEALTH, fixes: [{ id: 'a' }] },
    });
  });
});
