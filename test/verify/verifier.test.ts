import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import type { FixId, JournalRecord, Outcome, OutcomeId, Start, Trial } from '../../src/records.js';
import { assignArms } from '../../src/verify/assign.js';
import { planTrial } from '../../src/verify/plan.js';
import { Verifier } from '../../src/verify/verifier.js';

const FIX = 'fix-1' as FixId; // a brand has no other way to come into being
const T0 = 1_700_000_000_000;

function trialOf(parts: Partial<Parameters<typeof planTrial>[0]> = {}): Trial {
  return planTrial({
    fixId: FIX,
    scope: { task: 'ask' },
    unit: 'task',
    nowMs: T0,
    attempt: 1,
    tasksPerDay: 86_400,
    longestWaitMs: 0,
    past: { tasks: 100, failures: 20 },
    seed: 7,
    ...parts,
  });
}

/** One task a second; `fails` says what happens in each arm. */
function journal(
  trial: Trial,
  count: number,
  fails: (arm: 'fix' | 'control', index: number) => boolean,
  more: (arm: 'fix' | 'control', index: number) => Partial<Outcome> = () => ({}),
): JournalRecord[] {
  return Array.from({ length: count }, (_, index): JournalRecord[] => {
    const id = `t${index}` as OutcomeId;
    const atMs = T0 + index * 1000;
    const arms = assignArms([trial], { id, scope: { task: 'ask' }, atMs });
    const arm = arms[0]?.arm ?? 'fix';
    const start: Start = {
      id,
      task: 'ask',
      atMs,
      deadlineMs: atMs + 3_600_000,
      scope: { task: 'ask' },
      arms,
      writer: 'w',
      counter: index,
    };
    const outcome: Outcome = {
      id,
      task: 'ask',
      source: 'generic',
      success: !fails(arm, index),
      atMs: atMs + 500,
      issues: [],
      ...more(arm, index),
    };
    return [
      { kind: 'start', start },
      { kind: 'outcome', outcome },
    ];
  }).flat();
}

function failing(rate: number, ratio: number, seed: number) {
  const random = seededRandom(seed);
  return (arm: 'fix' | 'control') => random() < rate * (arm === 'fix' ? ratio : 1);
}

describe('Verifier', () => {
  it('confirms a fix that helps, says so until the trial goes on, and then keeps a hold-back', () => {
    const trial = trialOf();
    const verifier = new Verifier();
    verifier.open(trial);
    verifier.absorb(journal(trial, 600, failing(0.3, 0.2, 1)));
    const nowMs = T0 + 700_000;
    const [first] = verifier.look(nowMs).verdicts;
    expect(first?.verdict.kind).toBe('confirmed');
    expect(verifier.look(nowMs + 1000).verdicts[0]?.verdict).toEqual(first?.verdict);
    expect(first?.trial).toMatchObject({ phase: 'hold-back', share: 0.9 });
    if (first?.trial) verifier.open(first.trial);
    expect(verifier.look(nowMs + 2000).verdicts).toEqual([]);
  });

  it('rejects a fix whose failures vanish: what never ends has failed at its deadline', () => {
    const trial = trialOf();
    const verifier = new Verifier();
    verifier.open(trial);
    const fails = failing(0.2, 3, 2);
    const vanished = new Set<string>();
    const records = journal(trial, 900, fails).filter((record) => {
      if (record.kind === 'start' || record.outcome.success) return true;
      vanished.add(record.outcome.id);
      return false;
    });
    verifier.absorb(records);
    expect(verifier.look(T0 + 1_000_000).verdicts).toEqual([]);
    expect(verifier.look(T0 + 5_000_000).verdicts[0]?.verdict.kind).toBe('rejected');
    expect(vanished.size).toBeGreaterThan(100);
  });

  it('fires a guard when every answer takes twice as long', () => {
    const trial = trialOf();
    const verifier = new Verifier();
    verifier.open(trial);
    const random = seededRandom(3);
    const more = (arm: 'fix' | 'control') => ({ durationMs: (arm === 'fix' ? 2 : 1) * (80 + 40 * random()) });
    verifier.absorb(journal(trial, 600, failing(0.05, 1, 4), more));
    expect(verifier.look(T0 + 700_000).verdicts[0]?.verdict).toMatchObject({ why: 'guard', guard: 'duration' });
  });

  it('gives the same verdict for the same records in any order, twice over, and with a restart in the middle', () => {
    const trial = trialOf();
    const records = journal(trial, 500, failing(0.3, 0.4, 5));
    const straight = new Verifier();
    straight.open(trial);
    straight.absorb(records);
    const expected = straight.look(T0 + 600_000).verdicts;
    expect(expected).toHaveLength(1);

    const random = seededRandom(6);
    const shuffled = [...records, ...records]
      .map((record) => ({ record, key: random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ record }) => record);
    let other = new Verifier();
    other.open(trial);
    other.absorb(shuffled.slice(0, 700));
    other = Verifier.restore(JSON.parse(JSON.stringify(other.snapshot())));
    other.absorb(shuffled.slice(700));
    const report = other.look(T0 + 600_000);
    expect(report.verdicts).toEqual(expected);
    expect(report.ignored[0]?.why).toBe('repeated');
  });
});
