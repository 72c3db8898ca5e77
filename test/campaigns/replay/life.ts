import type { FixId, OutcomeId } from '../../../src/contract/ids.js';
import type { Outcome } from '../../../src/contract/outcome.js';
import type { Start } from '../../../src/contract/start.js';
import type { TrialVerdict } from '../../../src/contract/verdict.js';
import { seededRandom } from '../../../src/lib/random.js';
import { assignArms } from '../../../src/verify/assign.js';
import { planTrial } from '../../../src/verify/plan.js';
import { Verifier } from '../../../src/verify/verifier.js';
import { type Pair, streamOf } from './pairs.js';

const FIX = 'fix-1' as FixId; // a brand has no other way to come into being
const T0 = 1_700_000_000_000;
const SECOND = 1_000;
/** Tasks between two looks at the verdict. */
const LOOK_EVERY = 10;
/** Tasks of control before the trial, in which the host decided to try something. */
export const PAST = 100;

export interface LifeEnd {
  readonly decision: 'confirmed' | 'no-effect' | 'harm' | 'guard' | 'inconclusive' | 'undecided';
  readonly tasks: number;
  /** Estimated ratio of the failure rates and its interval. */
  readonly effect: { readonly value: number; readonly low: number; readonly high: number };
}

/**
 * Lets the verifier of the loop judge one pair, in the order of a host that works off a stream of tasks. Each task is a
 * session of its own, as the recorded runs were; with `isOneStream` they all belong to one source.
 */
export function liveOf(pair: Pair, seed: number, longest: number, isOneStream = false): LifeEnd {
  const draw = streamOf(pair, seed);
  const random = seededRandom(seed + 1_000_003);
  let failures = 0;
  for (let index = 0; index < PAST; index++) if (draw().control) failures++;
  const trial = planTrial({
    ...{ fixId: FIX, scope: { task: 'work' }, unit: 'task', nowMs: T0 },
    place: { trial: 1, confirmed: 0, attempt: 1 },
    tasksPerDay: longest / 30,
    ...{ longestWaitMs: 0, past: { tasks: PAST, failures }, seed: Math.floor(random() * 2 ** 31) },
  });
  const verifier = new Verifier();
  verifier.open(trial);
  for (let number = 0; number < longest; number++) {
    const id = `t${number}` as OutcomeId; // as above
    const atMs = T0 + number * SECOND;
    const { names, control, fix } = draw();
    const at = { id, task: 'work', atMs, deadlineMs: atMs + 3_600_000, scope: { task: 'work' } };
    const arms = assignArms([trial], at);
    const own = isOneStream ? {} : { session: id };
    const start: Start = { ...at, ...own, arms, features: names, writer: 'w', counter: number };
    const failed = arms[0]?.arm === 'fix' ? fix : control;
    const outcome: Outcome = {
      id,
      task: 'work',
      source: 'replay',
      success: !failed,
      atMs: atMs + 1,
      issues: [],
      managed: true,
    };
    verifier.absorb([
      { kind: 'start', start },
      { kind: 'outcome', outcome },
    ]);
    if (number % LOOK_EVERY !== LOOK_EVERY - 1) continue;
    const [verdict] = verifier.look(atMs + SECOND).verdicts;
    if (verdict) return endOf(verdict.verdict);
  }
  return { decision: 'undecided', tasks: longest, effect: verifier.figures(FIX)?.effect ?? NO_EFFECT };
}

const NO_EFFECT = { value: 1, low: 0, high: 10 };

function endOf({ figures, ...verdict }: TrialVerdict): LifeEnd {
  const why = verdict.kind === 'failed' ? verdict.why : verdict.kind;
  const tasks = figures.fix.units + figures.control.units;
  return { decision: why === 'interference' ? 'guard' : why, tasks, effect: figures.effect };
}
