import { describe, expect, it } from 'vitest';
import type { ChangeKind, CycleFacts } from '../../src/contract/change-kind.js';
import type { Fix } from '../../src/contract/fix.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import type { Pattern } from '../../src/contract/pattern.js';
import type { TrialFigures, Verdict } from '../../src/contract/verdict.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import { proposeFixes } from '../../src/judge/propose-fixes.js';
import type { LedgerState } from '../../src/ledger/reduce.js';
import { wilsonRate } from '../../src/lib/statistics.js';
import { policyOnly, ruleChange, somePattern, someTask } from '../fix/fixtures.js';
import { proposedFix } from '../ledger/fixtures.js';
import { cycleWith } from './fixtures.js';

const NOW_MS = 1_000_000;
const DAY_MS = 86_400_000;
const fixOf = (id: string, parts: Partial<Fix> = {}): Fix => ({ ...proposedFix(id), ...parts });

interface WorldParts {
  readonly patterns?: readonly Pattern[];
  readonly proposed?: readonly Fix[];
  readonly kind?: Partial<ChangeKind>;
  readonly expireAfterMs?: number;
  readonly aheadMs?: number;
  readonly resolve?: (id: string) => string;
}

/** One cycle's proposals, of a fixer that proposes the given fixes. */
async function world(fixes: readonly Fix[], parts: WorldParts = {}) {
  const { patterns = [somePattern()], proposed = [], kind = {}, expireAfterMs = 30 * DAY_MS } = parts;
  const asked: { patterns: readonly Pattern[]; tasks: ReadonlyMap<string, unknown>; known: LedgerState }[] = [];
  const fixer = {
    propose: (of: readonly Pattern[], tasks: ReadonlyMap<string, unknown>, known: LedgerState) => {
      asked.push({ patterns: of, tasks, known });
      return proposed;
    },
  };
  const kinds = new ChangeKinds([{ ...policyOnly(), ...kind }]);
  const analyzer = { resolve: parts.resolve ?? ((id: string) => id) };
  const more = { fixer, kinds, expireAfterMs, analyzer, clockWatch: { aheadSince: () => parts.aheadMs ?? 0 } };
  const cycle = await cycleWith(fixes, { patterns, tasks: [someTask()], more });
  await proposeFixes(cycle.now);
  return { ...cycle, asked };
}

describe('the proposals of a cycle', () => {
  it('are written for the patterns of the host, not for failures of the loop itself', async () => {
    const patterns = [
      somePattern({ id: 'own', sources: ['rsi-loop'] }),
      somePattern({ id: 'of the host', sources: ['rsi-loop', 'my-service'] }),
    ];
    const prepared: CycleFacts[] = [];
    const kind: Partial<ChangeKind> = { prepare: async (cycle) => void prepared.push(cycle) };
    const { asked, written } = await world([], { patterns, proposed: [fixOf('new')], kind });
    expect(asked[0]?.patterns.map(({ id }) => id)).toEqual(['of the host']);
    expect(prepared[0]?.patterns.map(({ id }) => id)).toEqual(['of the host']);
    expect([...(prepared[0]?.tasks.keys() ?? [])]).toEqual(['api_call']);
    expect(await written()).toEqual([{ kind: 'fix-proposed', atMs: NOW_MS, by: 'auto', fix: fixOf('new') }]);
  });

  it('know of the proposals that expired in the same cycle, so that these may be replaced immediately', async () => {
    const { asked } = await world([fixOf('old')], { patterns: [] });
    expect([...(asked[0]?.known.active.values() ?? [])]).toEqual([]);
  });

  it('follow what the host declares, such as a new text', async () => {
    const declared: LedgerEntry = {
      ...{ kind: 'text-declared', atMs: NOW_MS, by: 'w', name: 'system', text: 'You help.', version: 'v1', tasks: [] },
    };
    const kind: Partial<ChangeKind> = {
      declare: (known, atMs) => (known.size === 0 && atMs === NOW_MS ? [declared] : []),
    };
    const { written } = await world([fixOf('old')], { patterns: [], kind, proposed: [fixOf('new')] });
    expect((await written()).map((entry) => entry.kind)).toEqual(['text-declared', 'fix-moved', 'fix-proposed']);
  });
});

describe('a proposal without an answer', () => {
  it('expires when its failures were not seen for a whole window', async () => {
    const { status, written } = await world([fixOf('a')], { patterns: [] });
    expect(status('a')).toBe('expired');
    expect(await written()).toMatchObject([
      { by: 'auto', atMs: NOW_MS, reason: 'its pattern was not seen for a whole window' },
    ]);
  });

  it('stays if its pattern has another id since it was merged into another', async () => {
    const { status } = await world([fixOf('a', { patternId: 'merged' })], {
      resolve: (id) => (id === 'merged' ? 'pattern-1' : id),
    });
    expect(status('a')).toBe('proposed');
  });

  it('stays if it is the idea of a person, which is for no pattern', async () => {
    const { status } = await world([fixOf('a', { patternId: 'idea:api_call' })], { patterns: [] });
    expect(status('a')).toBe('proposed');
  });

  it('expires after 30 days if it needs a person', async () => {
    const unsafe = (proposedMs: number) => fixOf('a', { safe: false, proposedMs });
    const expired = await world([unsafe(NOW_MS - 30 * DAY_MS)]);
    expect(await expired.written()).toMatchObject([{ to: 'expired', reason: 'no answer for 30 days' }]);
    expect((await world([unsafe(NOW_MS - 30 * DAY_MS + 1)])).status('a')).toBe('proposed');
    const sooner = await world([unsafe(NOW_MS - 2 * DAY_MS)], { expireAfterMs: 2 * DAY_MS });
    expect(await sooner.written()).toMatchObject([{ reason: 'no answer for 2 days' }]);
    expect((await world([unsafe(NOW_MS - 30 * DAY_MS)], { aheadMs: 1 })).status('a')).toBe('proposed');
  });

  it('stays if it is safe, or if the host has to take a step before it can be tried', async () => {
    const old = { proposedMs: NOW_MS - 90 * DAY_MS };
    expect((await world([fixOf('a', old)])).status('a')).toBe('proposed');
    const waiting = fixOf('a', { ...old, safe: false, needs: 'call loop.run' });
    expect((await world([waiting])).status('a')).toBe('proposed');
    // A rule always needs a person, so that it does not wait for the step of the host.
    const rule = { ...waiting, change: ruleChange() };
    expect((await world([rule])).status('a')).toBe('expired');
  });

  it('stays as it is if looking at it fails, and the others expire', async () => {
    const { status, problems } = await world([fixOf('broken', { patternId: 'p0' }), fixOf('a', { patternId: 'p1' })], {
      resolve: (id) => {
        if (id === 'p0') throw new Error('no such pattern');
        return id;
      },
    });
    expect([status('broken'), status('a')]).toEqual(['proposed', 'expired']);
    expect(problems).toEqual(['fix broken was left as it is: no such pattern']);
  });
});

describe('a confirmed fix whose failures had ended', () => {
  const figures = (parts: object) => ({ kind: 'confirmed', atMs: 5, figures: parts as TrialFigures }) as Verdict;
  const control = (failures: number, tasks: number) => ({ control: { units: tasks, tasks, failures } });
  const backAt = (failures: number, of: number) => ({ sinceReturn: { value: failures / of, of } });

  async function statusWhen(pattern: Partial<Pattern>, verdict?: Verdict) {
    const fix = fixOf('a', { status: 'confirmed', ...(verdict && { verdict }) });
    const { status, written, problems } = await world([fix], { patterns: [somePattern(pattern)] });
    expect(problems).toEqual([]);
    const [entry] = await written();
    return [status('a'), entry && 'reason' in entry ? entry.reason : undefined];
  }

  it('is reopened when they come back at half their old rate or more', async () => {
    const before = figures(control(50, 100));
    expect(await statusWhen(backAt(40, 100), before)).toEqual([
      'reopened',
      'its pattern had been resolved and came back',
    ]);
    // Some tasks run without the fix and still fail now and then.
    expect(await statusWhen(backAt(25, 100), before)).toEqual(['confirmed', undefined]);
  });

  it('is compared with the tasks that it could act on, if the trial counted those', async () => {
    const before = figures({ ...control(50, 100), inScope: control(10, 100) });
    expect((await statusWhen(backAt(25, 100), before))[0]).toBe('reopened');
  });

  it('is compared with the rate of the pattern if its trial had no control tasks or no figures', async () => {
    const rate = { ...backAt(40, 100), rate: wilsonRate(50, 100) };
    for (const verdict of [figures(control(0, 0)), { kind: 'confirmed', atMs: 5 } as Verdict, undefined]) {
      expect((await statusWhen(rate, verdict))[0]).toBe('reopened');
      expect((await statusWhen({ ...rate, rate: wilsonRate(90, 100) }, verdict))[0]).toBe('confirmed');
    }
  });

  it('stays if its pattern did not come back, or with fewer than three failures', async () => {
    const before = figures(control(1, 100));
    expect((await statusWhen({}, before))[0]).toBe('confirmed');
    expect((await statusWhen(backAt(2, 4), before))[0]).toBe('confirmed');
    expect((await statusWhen(backAt(3, 4), before))[0]).toBe('reopened');
    const unseen = await world([fixOf('a', { status: 'confirmed', verdict: before })], { patterns: [] });
    expect([unseen.status('a'), unseen.problems]).toEqual(['confirmed', []]);
  });

  it('is the only one that is reopened', async () => {
    const verdict = figures(control(50, 100));
    for (const status of ['applied-unverified', 'trial', 'reopened'] as const) {
      const { written } = await world([fixOf('a', { status, verdict })], { patterns: [somePattern(backAt(90, 100))] });
      expect(await written()).toEqual([]);
    }
  });
});
