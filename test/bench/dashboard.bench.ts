/**
 * The dashboard's data at 10^6 stored outcomes and 2,000 patterns, in a process that only reads: time from opening the
 * store to the first overview, event loop delay while the newest outcomes are read, and the time of each view.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type JournalRecord, type OutcomeId, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { DashboardData } from '../../integrations/dashboard/data/dashboard-data.js';
import { seededRandom } from '../../src/lib/random.js';

const OUTCOMES = 1_000_000;
const PATTERNS = 2_000;
const TASKS = 40;
const WEEK_MS = 7 * 86_400_000;
const MODELS = ['sonnet', 'haiku', 'opus'];
const ISSUES = ['rate_limit', 'network', 'timeout', 'validation', 'not_found', 'server_error'] as const;

const random = seededRandom(5);
const sinceMs = Date.now() - WEEK_MS;

/** Words without digits: a number would be a variable part of one pattern. */
const letters = (number: number) => number.toString(26).replace(/[0-9]/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');

function record(number: number): JournalRecord {
  const kind = Math.floor(PATTERNS * random() ** 2);
  const failed = random() < 0.2;
  const issue = ISSUES[kind % ISSUES.length] ?? 'unknown';
  return {
    kind: 'outcome',
    outcome: {
      id: `0mabcdefg-w1a2b3c4d5e6-${number.toString(36).padStart(7, '0')}` as OutcomeId, // an id of the bench's own
      task: `task_${kind % TASKS}`,
      success: !failed,
      atMs: sinceMs + Math.floor((number / OUTCOMES) * (WEEK_MS - 60_000)),
      source: 'generic',
      session: `session-${Math.floor(number / 12)}`,
      model: MODELS[number % MODELS.length] ?? '',
      durationMs: 300 + Math.floor(2_000 * random()),
      tokens: { input: 1_200, output: 300 },
      ...(failed
        ? { error: { message: `${letters(kind)}handler stopped at step ${number % 90}` }, issues: [issue] }
        : { issues: [] }),
    },
  };
}

async function write(folder: string): Promise<void> {
  const store = new FileStore(folder);
  for (let number = 0; number < OUTCOMES; ) {
    store.journal.append(Array.from({ length: 20_000 }, () => record(number++)));
    await store.journal.flush();
  }
  await store.close();
  const loop = new RSILoop({ store: new FileStore(folder), autoFix: false });
  const { patterns } = await loop.runCycle();
  await loop.close();
  console.log(`stored ${OUTCOMES} outcomes, ${patterns.length} patterns`);
}

const ms = (value: number) => value.toFixed(1).padStart(9);

async function read(folder: string): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const openedMs = performance.now();
  const store = new FileStore(folder);
  const loop = new RSILoop({ store });
  await loop.ready();
  console.log(`ready                     ${ms(performance.now() - openedMs)} ms`);
  const data = new DashboardData({ loop, store: folder, folder });
  const filled = new Promise<void>((resolve) => {
    data.onEvent((event) => event.kind === 'changed' && event.views.includes('sessions') && resolve());
  });
  const overview = JSON.stringify(await data.view('overview'));
  console.log(
    `first overview            ${ms(performance.now() - openedMs)} ms after opening, ${overview.length} bytes`,
  );
  console.log(`event loop while opening: p99 ${ms(delay.percentile(99) / 1e6)}, max ${ms(delay.max / 1e6)} ms`);
  delay.reset();
  const fillingMs = performance.now();
  await filled;
  await data.view('sessions');
  console.log(`newest outcomes read in   ${ms(performance.now() - fillingMs)} ms`);
  console.log(`event loop while filling: p99 ${ms(delay.percentile(99) / 1e6)}, max ${ms(delay.max / 1e6)} ms`);
  const worst = (await data.view('overview'))?.worst[0]?.id ?? '';
  const session = (await data.view('sessions'))?.sessions[0]?.id ?? '';
  for (const [name, params] of [
    ['status', {}],
    ['overview', {}],
    ['patterns', {}],
    ['pattern', { id: worst }],
    ['sessions', {}],
    ['sessions', { q: 'handler' }],
    ['sessions', { pattern: worst }],
    ['session', { id: session }],
    ['trials', {}],
    ['review', {}],
    ['models', {}],
    ['settings', {}],
    ['ledger', {}],
    ['store', {}],
  ] as const) {
    delay.reset();
    const sinceViewMs = performance.now();
    const answer = await data.view(name, params);
    const tookMs = performance.now() - sinceViewMs;
    await new Promise((resolve) => setTimeout(resolve, 20));
    const bytes = JSON.stringify(answer)?.length ?? 0;
    console.log(
      `${`${name} ${JSON.stringify(params)}`.slice(0, 40).padEnd(40)} ${ms(tookMs)} ms, longest delay ${ms(delay.max / 1e6)} ms, ${bytes} bytes`,
    );
  }
  const refreshMs = performance.now();
  await data.refresh();
  console.log(`refresh with nothing new  ${ms(performance.now() - refreshMs)} ms`);
  delay.disable();
  await data.close();
  await loop.close();
}

const kept = process.env.DASHBOARD_STORE;
const folder = kept ?? mkdtempSync(join(tmpdir(), 'rsi-dashboard-bench-'));
try {
  if (kept === undefined || process.argv.includes('write')) await write(folder);
  if (!process.argv.includes('write')) await read(folder);
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}
