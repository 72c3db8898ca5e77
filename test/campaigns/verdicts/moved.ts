import type { Arm } from '../../../src/contract/start.js';
import { seededRandom } from '../../../src/lib/random.js';
import { type LifeTask, live } from '../worlds/life.js';
import { median, type Row, row, share, shown } from './row.js';

const FAILING = 0.2;

interface MovedLife {
  readonly confirmedAt: number | null;
  /** When it was rejected or taken back. */
  readonly endedAt: number | null;
  readonly why: string | null;
}

interface Moving {
  /** Share of the failures of its own tasks that the fix leaves. */
  readonly leaves: number;
  /** Whether each failure that it spares comes back. */
  readonly comesBack: boolean;
  /** Share of tasks of another name; where failures come back, they come back there. */
  readonly others?: number;
  /** Tasks per session, which is then what is drawn. */
  readonly perSession?: number;
}

/** A fix after which each spared failure comes back in the next task that would have gone well: nothing is gained. */
function lives(seed: number, { leaves, comesBack, others = 0, perSession }: Moving): MovedLife {
  const random = seededRandom(seed);
  const owed = new Map<string | undefined, number>();
  const taskOf = (number: number): LifeTask => {
    const isOther = random() < others;
    const session = perSession === undefined ? undefined : `s${Math.floor(number / perSession)}`;
    const end = (arm: Arm) => {
      const fails = random() < FAILING;
      const debt = owed.get(session) ?? 0;
      const spared = fails && !isOther && arm === 'fix' && random() >= leaves;
      const pays = !fails && debt > 0 && isOther === others > 0;
      if (comesBack) owed.set(session, debt + (spared ? 1 : 0) - (pays ? 1 : 0));
      const endsSession = perSession !== undefined && number % perSession === perSession - 1;
      return { failed: (fails && !spared) || pays, ...(endsSession && { endsSession }) };
    };
    return { scope: { task: isOther ? 'other' : 'ask' }, end, ...(session !== undefined && { session }) };
  };
  const unit = perSession === undefined ? 'task' : 'session';
  const past = { tasks: 100, failures: 20, others: pastOfOthers(random, Math.round((100 * others) / (1 - others))) };
  const { confirmedAt = null, endedAt = null, why = null } = live(taskOf, random, { tasks: 3_000, unit, past });
  return { confirmedAt, endedAt, why };
}

/** Tasks of other names in the time in which the task itself ended 100 times, before the fix. */
function pastOfOthers(random: () => number, tasks: number) {
  let failures = 0;
  for (let task = 0; task < tasks; task++) if (random() < FAILING) failures++;
  return { tasks, failures };
}

function movedRow(world: string, moving: Omit<Moving, 'comesBack'>): Row {
  return row<MovedLife>({
    world,
    goal: 'confirmed <= 5 %',
    lives: 400,
    cut: 6,
    live: (seed) => lives(seed, { ...moving, comesBack: true }),
    measure: (found) => [
      share('confirmed', found.filter(({ confirmedAt }) => confirmedAt !== null).length, found.length, { max: 0.05 }),
      shown('found by the guard', found.filter(({ why }) => why === 'other-tasks').length),
      shown(
        'confirmed and never taken back',
        found.filter(({ confirmedAt, endedAt }) => confirmedAt !== null && endedAt === null).length,
      ),
    ],
  });
}

function honestRow(world: string, moving: Omit<Moving, 'comesBack'>, most: number): Row {
  return row<MovedLife>({
    world,
    goal: `confirmed >= 95 %, median <= ${most} tasks`,
    lives: 200,
    cut: 6,
    live: (seed) => lives(seed, { ...moving, comesBack: false }),
    measure: (found) => [
      share('confirmed', found.filter(({ confirmedAt }) => confirmedAt !== null).length, found.length, { min: 0.95 }),
      median(
        'tasks',
        found.flatMap(({ confirmedAt }) => confirmedAt ?? []),
        most,
      ),
    ],
  });
}

export const MOVED_ROWS: readonly Row[] = [
  movedRow('cures failures, each comes back in the next task', { leaves: 0 }),
  movedRow('halves failures, each comes back in the next task', { leaves: 0.5 }),
  movedRow('cures failures, each comes back in a task of another name', { leaves: 0, others: 0.3 }),
  movedRow('halves failures, each comes back in a task of another name', { leaves: 0.5, others: 0.3 }),
  movedRow('a rule, each failure comes back in another task of its session', {
    leaves: 0.3,
    others: 0.4,
    perSession: 20,
  }),
  honestRow('cures failures, none come back', { leaves: 0 }, 150),
  honestRow('halves failures beside tasks of another name, none come back', { leaves: 0.5, others: 0.3 }, 1_400),
  honestRow('a rule that spares failures, none come back', { leaves: 0.3, others: 0.4, perSession: 20 }, 800),
];
