/**
 * The dashboard's data at 10^6 stored outcomes and 2,000 patterns, in a process that only reads: time from opening the
 * store to the first overview, the longest turns of the event loop while the newest outcomes are read, and the time of each
 * view, in processor time, so that other work on the machine does not matter. Then the page in a browser, by the clock.
 * `DASHBOARD_OUTCOMES=100000` measures another size. `DASHBOARD_STORE=FOLDER` keeps the store: `write` creates it, `read`
 * measures the data only, and `page` the page only.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JournalRecord, type OutcomeId, RSILoop } from 'rsi-loop';
import { FileStore, readOnlyFileSystem } from 'rsi-loop/node';
import { DashboardData } from '../../integrations/dashboard/data/dashboard-data.js';
import { seededRandom } from '../../src/lib/random.js';
import { NO_BROWSER } from '../integrations/dashboard/page/browser.js';
import { measurePage } from './dashboard-page.js';

const OUTCOMES = Number(process.env.DASHBOARD_OUTCOMES ?? 1_000_000);
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

const ms = (value: number) => `${value.toFixed(1).padStart(8)} ms`;

/** Processor time between two turns of the event loop: how long others wait, without other work of the machine. */
class Turns {
  #last = process.cpuUsage();
  #longest: number[] = [];
  #isOn = true;

  constructor() {
    this.#next();
  }

  #next(): void {
    if (!this.#isOn) return;
    setImmediate(() => {
      const { user, system } = process.cpuUsage(this.#last);
      this.#last = process.cpuUsage();
      // An empty turn says nothing.
      if (user + system >= 100) this.#longest.push((user + system) / 1_000);
      this.#next();
    });
  }

  /** The figures since the last call. */
  take(): string {
    const sorted = this.#longest.sort((a, b) => a - b);
    this.#longest = [];
    const sum = sorted.reduce((total, value) => total + value, 0);
    const at = (share: number) => ms(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
    return `CPU ${ms(sum)}, turns: p99 ${at(0.99)}, longest ${at(1)}`;
  }

  end(): void {
    this.#isOn = false;
  }
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

async function read(folder: string): Promise<void> {
  const turns = new Turns();
  const openedMs = performance.now();
  const store = new FileStore(folder, { fs: readOnlyFileSystem });
  const loop = new RSILoop({ store });
  const report = async (name: string) => {
    await turn();
    console.log(`${name.padEnd(34)} ${ms(performance.now() - openedMs)} after opening; ${turns.take()}`);
  };
  await loop.ready();
  await report('ready: snapshot read');
  const data = new DashboardData({ loop, store: folder, folder });
  await data.view('overview');
  await report('first overview');
  await data.view('sessions');
  await report('newest outcomes read');
  const worst = (await data.view('overview'))?.worst[0]?.id ?? '';
  const session = (await data.view('sessions'))?.sessions[0]?.id ?? '';
  const id = loop.fixes()[0]?.id ?? '';
  await turn();
  turns.take();
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
    ['fix', { id }],
    ['review', {}],
    ['models', {}],
    ['settings', {}],
    ['ledger', {}],
    ['store', {}],
  ] as const) {
    const answer = await data.view(name, params);
    await turn();
    const figures = turns.take();
    const bytes = JSON.stringify(answer)?.length ?? 0;
    console.log(`${`${name} ${JSON.stringify(params)}`.slice(0, 34).padEnd(34)} ${figures}; ${bytes} bytes`);
    await turn();
    turns.take();
  }
  await data.refresh();
  await report('refresh with nothing new');
  turns.end();
  await data.close();
  await loop.close();
}

const [command] = process.argv.slice(2);
const kept = process.env.DASHBOARD_STORE;
const folder = kept ?? mkdtempSync(join(tmpdir(), 'rsi-dashboard-bench-'));
try {
  if (kept === undefined || command === 'write') await write(folder);
  if (command === undefined || command === 'read') await read(folder);
  if ((command === undefined || command === 'page') && !NO_BROWSER) await measurePage(folder);
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}
