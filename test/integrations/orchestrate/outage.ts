import { orchestrate, type TaskContext, type WorkerTask } from '../../../integrations/orchestrate/index.js';
import { MemoryRunStore } from '../../../integrations/orchestrate/memory-run-store.js';
import { RSILoop } from '../../../src/index.js';
import { seededRandom } from '../../../src/lib/random.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';
import { Life, MortalStore, NEVER } from './mortal-store.js';

export interface OutageReport {
  readonly nights: number;
  readonly tasks: number;
  readonly kills: number;
  /** Calls that the server refused. */
  readonly refused: number;
  /** Longest night, in simulated minutes. */
  readonly minutes: number;
  readonly broken: readonly string[];
  readonly [count: string]: unknown;
}

const TASKS = 200;
const OUTAGE_MS = 300_000;
const STEP_MS = 500;
const LONGEST_NIGHT_MS = 3 * 3_600_000;

/**
 * Nights of 200 tasks against a server that answers 503 for five minutes of simulated time, in processes of which up to
 * `kills` are killed at a random step. Each night must end with every task done, and with one receipt for each.
 */
export async function outageNights(count: number, { seed = 31, from = 0, kills = 5 } = {}): Promise<OutageReport> {
  const report = { nights: 0, tasks: 0, kills: 0, refused: 0, minutes: 0 };
  const broken: string[] = [];
  for (; report.nights < count; report.nights++) {
    const number = from + report.nights;
    const night = await outageNight(seed * 1_000_003 + number, kills);
    report.tasks += TASKS;
    report.kills += night.kills;
    report.refused += night.refused;
    report.minutes = Math.max(report.minutes, Math.round(night.ms / 60_000));
    if (night.broken !== undefined) broken.push(`night ${number}: ${night.broken}`);
  }
  return { ...report, broken };
}

async function outageNight(seed: number, most: number) {
  const random = seededRandom(seed);
  const clock = new ManualClock(0);
  const loop = new RSILoop({ clock });
  const store = new MemoryRunStore();
  const outageAtMs = 20_000 + random() * 60_000;
  const tasks = Array.from({ length: TASKS }, (_, at): WorkerTask => {
    const after = [1, 2].flatMap(() => (at > 0 && random() < 0.6 ? [`t${Math.floor(random() * at)}`] : []));
    return { id: `t${at}`, worker: 'ask', after, retries: { limit: 12, backoffMs: 1_000 } };
  });
  const counts = { kills: 0, refused: 0 };
  const ask =
    (life: Life) =>
    async ({ id }: TaskContext) => {
      await new Promise<void>((answered) => clock.after(1_000 + random() * 4_000, answered));
      if (life.isDead) return NEVER;
      const isOut = clock.now() >= outageAtMs && clock.now() < outageAtMs + OUTAGE_MS;
      if (isOut) counts.refused++;
      if (isOut) throw Object.assign(new Error('503 Service Unavailable'), { status: 503 });
      return id;
    };
  for (;;) {
    const life = new Life(counts.kills < most ? Math.floor(random() * ((5 * TASKS) / most)) : Number.POSITIVE_INFINITY);
    let ended: { readonly status: string } | undefined;
    const workers = { ask: ask(life) };
    const run = orchestrate(loop, { id: 'night', tasks, workers, concurrency: 8, store: new MortalStore(store, life) });
    void run.then((result) => {
      ended = result;
    });
    while (!ended && !life.isDead && clock.now() < LONGEST_NIGHT_MS) await clock.advance(STEP_MS);
    if (!life.isDead || clock.now() >= LONGEST_NIGHT_MS) break;
    counts.kills++;
  }
  const steps = await store.load('night');
  const done = steps.flatMap((step) => (step.kind === 'done' ? [step.task] : []));
  const isWhole = done.length === TASKS && new Set(done).size === TASKS;
  const ms = clock.now();
  if (isWhole) await loop.close();
  return { ...counts, ms, broken: isWhole ? undefined : `${new Set(done).size} of ${TASKS} tasks are done` };
}
