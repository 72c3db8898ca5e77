import { mark, RSILoop } from 'rsi-loop';
import { DashboardData } from '../data/dashboard-data.js';
import { demoBenchmarks } from './demo-benchmarks.js';
import { demoRuns } from './demo-runs.js';
import { demoSkills } from './demo-skills.js';
import { InvoiceAgent } from './invoice-agent.js';
import { seededRandom } from './random.js';
import { SimulatedClock } from './simulated-clock.js';
import { isBusy } from './world.js';

export interface DemoOptions {
  /** End of the simulated week. Default: now. */
  readonly nowMs?: number;
  readonly seed?: number;
  /** Whether the agent continues to work after the week. Default true. */
  readonly isLive?: boolean;
}

/** Demo of the dashboard: a week of a simulated agent in memory, which then goes on. */
export interface Demo {
  readonly loop: RSILoop;
  readonly data: DashboardData;
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 7;
/** Day of the week on which the benchmarks begin. */
const BENCHMARKS_DAY = 6.4;
/** Day of the week on which runs of tasks begin. */
const RUNS_DAY = 6.9;
/** Changes by people, by day of the week. */
const MARKS: readonly (readonly [day: number, kind: string, label: string])[] = [
  [1.45, 'deploy', '2.3.1'],
  [3.4, 'deploy', '2.4.0: invoices with several tax rates'],
  [5, 'config', 'mail server moved to a faster host'],
];

/** Decisions by people, on the fix of a task with this target. */
const DECISIONS: readonly (readonly [
  day: number,
  task: string,
  target: string,
  decide: (loop: RSILoop, id: string) => Promise<unknown>,
])[] = [
  [1.8, 'extract_fields', 'AGENTS', (loop, id) => loop.approve(id, { by: 'ada', reason: 'Worth a try.' })],
  [
    6.2,
    'send_mail',
    'TOOLS',
    (loop, id) =>
      loop.reject(id, { by: 'ben', reason: 'Timeouts fell since the mail server moved. Look again next week.' }),
  ],
];

/** Simulates the week, after which the agent works in real time. Takes about two seconds. */
export async function startDemo({ nowMs = Date.now(), seed = 6, isLive = true }: DemoOptions = {}): Promise<Demo> {
  // Hours of the simulation begin with hours of the clock, like those of the charts.
  const sinceMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS - DAYS * DAY_MS;
  const clock = new SimulatedClock(sinceMs);
  const random = seededRandom(seed);
  const loop = new RSILoop({ clock, random: seededRandom(seed + 1), source: 'invoice-agent' });
  await loop.ready();
  const agent = new InvoiceAgent({ loop, clock, random, sinceMs });
  const marks = [...MARKS];
  const decisions = [...DECISIONS];
  for (let hour = 0; hour < DAYS * 24; hour++) {
    for (const dueMs of beginsIn(hour, random).map((beginMs) => sinceMs + beginMs)) {
      clock.moveTo(dueMs);
      for (const _ of agent.invoice()) clock.pass(2_000);
    }
    const atMs = sinceMs + (hour + 1) * HOUR_MS;
    while ((marks[0]?.[0] ?? DAYS) * DAY_MS + sinceMs < atMs) {
      const [, kind = '', label = ''] = marks.shift() ?? [];
      await mark(loop, kind, label, { by: 'ada' });
    }
    clock.moveTo(atMs);
    await loop.runCycle();
    await decide(loop, decisions, (hour + 1) / 24);
  }
  const bench = await demoBenchmarks(new SimulatedClock(sinceMs + BENCHMARKS_DAY * DAY_MS), seed);
  const runs = await demoRuns(new SimulatedClock(sinceMs + RUNS_DAY * DAY_MS));
  if (isLive) clock.goLive();
  const data = new DashboardData({
    loop,
    store: 'memory',
    clock,
    bench,
    runs,
    skills: demoSkills(nowMs),
    simulated: true,
  });
  const stop = isLive ? workOn(loop, agent) : () => {};
  return {
    loop,
    data,
    close: async () => {
      stop();
      await data.close();
      await loop.close();
    },
  };
}

async function decide(loop: RSILoop, decisions: (typeof DECISIONS)[number][], day: number): Promise<void> {
  const [due = DAYS, task, target, run] = decisions[0] ?? [];
  const fix = loop.fixes({ status: 'proposed' }).find((one) => one.task === task && one.target === target);
  if (day < due || !fix || !run) return;
  decisions.shift();
  await run(loop, fix.id);
}

/** Returns when invoices arrive in an hour, in milliseconds since the begin of the week. */
function beginsIn(hour: number, random: () => number): readonly number[] {
  const count = Math.round((isBusy(hour / 24) ? 14 : 4) * (0.8 + 0.4 * random()));
  return Array.from({ length: count }, () => (hour + random()) * HOUR_MS).sort((a, b) => a - b);
}

/** Works on one step of an invoice every second, and runs a cycle every five. Returns a function that ends this. */
function workOn(loop: RSILoop, agent: InvoiceAgent): () => void {
  let invoice = agent.invoice();
  const work = setInterval(() => {
    if (invoice.next().done) invoice = agent.invoice();
  }, 1_000);
  work.unref();
  loop.start({ everyMs: 5_000 });
  return () => {
    clearInterval(work);
    loop.stop();
  };
}
