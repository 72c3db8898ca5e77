import type { FixId, OutcomeId } from '../../../src/contract/ids.js';
import type { Trial } from '../../../src/contract/trial.js';
import type { TrialVerdict } from '../../../src/contract/verdict.js';
import { seededRandom } from '../../../src/lib/random.js';
import { assignArms } from '../../../src/verify/assign.js';
import { planTrial } from '../../../src/verify/plan.js';
import { Verifier } from '../../../src/verify/verifier.js';

const FIX = 'own setting' as FixId; // a brand has no other way to come into being
const BEGIN_MS = 1_700_000_000_000;
const STEP_MS = 60_000;
const TASKS_PER_DAY = 1_440;
/** Tasks that the state of the cache goes back to, on average. */
const MEMORY = 10;

/** How a setting of the host acts through a cache that all tasks share. */
export interface CacheWorld {
  /** Failure rate of a task without the fix, and what its own fix adds. */
  readonly rate: number;
  readonly own: number;
  /** Added failure rate of every task if all tasks before it had the fix. */
  readonly shared: number;
  readonly tasks: number;
  /** Settings of the fix. Default: one of the host's own. */
  readonly set?: Readonly<Record<string, number>>;
}

export interface CacheLife {
  readonly kind: TrialVerdict['kind'] | 'running';
  readonly tasks: number;
  readonly verdict?: TrialVerdict;
}

/** Runs single tasks over a shared cache up to the verdict. */
export function liveOnCache(world: CacheWorld, seed: number): CacheLife {
  const random = seededRandom(seed);
  const past = { tasks: 200, failures: Math.round(200 * world.rate) };
  const about = {
    fixId: FIX,
    scope: { task: 'ask' },
    unit: 'task',
    past,
    set: world.set ?? { 'my.depth': 2 },
  } as const;
  const place = { trial: 1, confirmed: 0, attempt: 1 };
  let trial: Trial = planTrial({
    ...about,
    ...{ place, tasksPerDay: TASKS_PER_DAY, longestWaitMs: 0, nowMs: BEGIN_MS, seed },
  });
  const verifier = new Verifier();
  verifier.open(trial);
  let spoiled = 0;
  for (let task = 0; task < world.tasks; task++) {
    const atMs = BEGIN_MS + task * STEP_MS;
    const id = `task ${task}` as OutcomeId; // as above
    const arms = assignArms([trial], { id, scope: { task: 'ask' }, atMs });
    const isFix = arms[0]?.arm === 'fix';
    const success = random() >= world.rate + (isFix ? world.own : 0) + world.shared * spoiled;
    spoiled += ((isFix ? 1 : 0) - spoiled) / MEMORY;
    const start = { id, task: 'ask', scope: { task: 'ask' }, arms, writer: 'w', counter: task, atMs };
    const outcome = { id, task: 'ask', success, atMs: atMs + 500, source: 'generic', issues: [], managed: true };
    verifier.absorb([
      { kind: 'start', start: { ...start, deadlineMs: atMs + 600_000 } },
      { kind: 'outcome', outcome },
    ]);
    const { verdicts, changes } = verifier.look(atMs + 1_000);
    const [reached] = verdicts;
    if (reached) return { kind: reached.verdict.kind, tasks: task + 1, verdict: reached.verdict };
    if (!changes[0]) continue;
    trial = changes[0].trial;
    verifier.open(trial);
  }
  return { kind: 'running', tasks: world.tasks };
}
