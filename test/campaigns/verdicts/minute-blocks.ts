import type { FixId, OutcomeId } from '../../../src/contract/ids.js';
import type { JournalRecord } from '../../../src/contract/journal-record.js';
import type { Arm } from '../../../src/contract/start.js';
import type { Trial } from '../../../src/contract/trial.js';
import { seededRandom } from '../../../src/lib/random.js';
import { assignArms } from '../../../src/verify/assign.js';
import { planTrial } from '../../../src/verify/plan.js';
import { Verifier } from '../../../src/verify/verifier.js';
import { type Row, row, share, shown } from './row.js';

const FIX = 'asks again for 10 s' as FixId; // a brand has no other way to come into being
const BEGIN_MS = 1_700_000_000_000;
/** Tasks and calls granted a minute, in a bucket that holds a few. */
const TASKS_A_MINUTE = 24;
const GRANTED_A_MINUTE = 20;
const BUCKET = 10;
/** The fix asks again every second for so long. */
const ASKS_MS = 10_000;
const STEP_MS = 100;
const TASKS = 12_000;

interface Open {
  readonly id: OutcomeId;
  readonly begunMs: number;
  readonly arm: Arm;
  nextMs: number;
}

/**
 * A quota that all tasks share. With the fix, a task asks again for ten seconds: it wins what another one loses, so the
 * failures of all tasks stay as they are.
 */
function liveOnBucket(seed: number) {
  const random = seededRandom(seed);
  const tasksPerDay = TASKS_A_MINUTE * 1_440;
  const about = { fixId: FIX, scope: { task: 'ask' }, unit: 'block', past: { tasks: 600, failures: 100 } } as const;
  const place = { trial: 1, confirmed: 0, attempt: 1 };
  let trial: Trial = planTrial({ ...about, place, tasksPerDay, longestWaitMs: 0, nowMs: BEGIN_MS, seed });
  const verifier = new Verifier();
  verifier.open(trial);
  let [tokens, begun, records]: [number, number, JournalRecord[]] = [BUCKET, 0, []];
  let open: Open[] = [];
  const end = ({ id, begunMs }: Open, atMs: number, success: boolean) => {
    const outcome = { id, task: 'ask', success, atMs, durationMs: 500, source: 'generic', issues: [], managed: true };
    if (begunMs >= BEGIN_MS) records.push({ kind: 'outcome', outcome });
  };
  for (let atMs = BEGIN_MS; begun < TASKS; atMs += STEP_MS) {
    tokens = Math.min(BUCKET, tokens + (GRANTED_A_MINUTE * STEP_MS) / 60_000);
    if (random() < (TASKS_A_MINUTE * STEP_MS) / 60_000) {
      const id = `task ${begun}` as OutcomeId; // as above
      const arms = assignArms([trial], { id, scope: { task: 'ask' }, atMs });
      const start = { id, task: 'ask', scope: { task: 'ask' }, arms, writer: 'w', counter: begun++ };
      records.push({ kind: 'start', start: { ...start, atMs, deadlineMs: atMs + 600_000 } });
      open.push({ id, begunMs: atMs, arm: arms[0]?.arm ?? 'control', nextMs: atMs });
    }
    open = open.filter((task) => {
      if (task.nextMs > atMs) return true;
      if (tokens >= 1) {
        tokens--;
        end(task, atMs, true);
        return false;
      }
      task.nextMs = atMs + 1_000;
      if (task.arm === 'fix' && task.nextMs <= task.begunMs + ASKS_MS) return true;
      end(task, atMs, false);
      return false;
    });
    if ((atMs - BEGIN_MS) % 300_000 !== 0) continue;
    verifier.absorb(records);
    records = [];
    const { verdicts, changes } = verifier.look(atMs);
    const [reached] = verdicts;
    if (reached) return { verdict: reached.verdict.kind, blockMs: trial.blockMs ?? 0 };
    if (!changes[0]) continue;
    trial = changes[0].trial;
    verifier.open(trial);
  }
  return { verdict: 'running', blockMs: trial.blockMs ?? 0 };
}

export const MINUTE_BLOCK_ROWS: readonly Row[] = [
  row<ReturnType<typeof liveOnBucket>>({
    world: 'a shared bucket in blocks of a minute, a fix that takes from the next block',
    goal: 'confirmed <= 5 %',
    lives: 30,
    cut: 2,
    live: liveOnBucket,
    measure: (lives) => [
      share('confirmed', lives.filter(({ verdict }) => verdict === 'confirmed').length, lives.length, { max: 0.05 }),
      shown('length of a block in s', lives.reduce((sum, { blockMs }) => sum + blockMs, 0) / lives.length / 1_000),
    ],
  }),
];
