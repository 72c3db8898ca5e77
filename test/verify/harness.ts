import type { FixId, OutcomeId } from '../../src/contract/ids.js';
import type { JournalRecord } from '../../src/contract/journal-record.js';
import type { Outcome } from '../../src/contract/outcome.js';
import type { Arm, Start } from '../../src/contract/start.js';
import type { Trial } from '../../src/contract/trial.js';
import { seededRandom } from '../../src/lib/random.js';
import { assignArms } from '../../src/verify/assign.js';
import { planTrial, type TrialPlan } from '../../src/verify/plan.js';

export const FIX = 'fix-1' as FixId; // a brand has no other way to come into being
export const T0 = 1_700_000_000_000;

export function trialOf(parts: Partial<TrialPlan> = {}): Trial {
  return planTrial({
    fixId: FIX,
    scope: { task: 'ask' },
    unit: 'task',
    nowMs: T0,
    place: { trial: 1, confirmed: 0, attempt: 1 },
    // Blocks of 25 tasks by this count, of 50 by the one task a second of these tests.
    tasksPerDay: 43_200,
    longestWaitMs: 0,
    past: { tasks: 100, failures: 20 },
    seed: 7,
    ...parts,
  });
}

type OfArm<Value> = (arm: Arm, index: number, share: number) => Value;

export interface JournalOptions {
  readonly from?: number;
  readonly more?: OfArm<Partial<Outcome>>;
  readonly session?: (index: number) => string;
}

/** Starts and outcomes of one task a second; `fails` says what happens in each arm. */
export function journal(trial: Trial, count: number, fails: OfArm<boolean>, options: JournalOptions = {}) {
  const { from = 0, more, session } = options;
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    const id = `t${number}` as OutcomeId; // as above
    const atMs = T0 + number * 1000;
    const inSession = session && { session: session(number) };
    const arms = assignArms([trial], { id, scope: { task: 'ask' }, atMs, ...inSession });
    const { arm, share } = arms[0] ?? { arm: 'fix', share: 1 };
    const deadlineMs = atMs + 3_600_000;
    const start: Start = {
      ...{ id, task: 'ask', atMs, deadlineMs, scope: { task: 'ask' }, arms, writer: 'w', counter: number },
      ...inSession,
    };
    const outcome: Outcome = {
      ...{
        id,
        task: 'ask',
        source: 'generic',
        success: !fails(arm, number, share),
        atMs: atMs + 500,
        issues: [],
        managed: true,
      },
      ...more?.(arm, number, share),
    };
    return [{ kind: 'start', start } as const, { kind: 'outcome', outcome } as const];
  }).flat() satisfies JournalRecord[];
}

export function failing(rate: number, ratio: number, seed: number): OfArm<boolean> {
  const random = seededRandom(seed);
  return (arm) => random() < rate * (arm === 'fix' ? ratio : 1);
}
