import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Supervised, type SuperviseOptions, supervise } from '../../../integrations/oversee/index.js';
import { MemoryStore, RSILoop, type Store } from '../../../src/index.js';
import { type Random, seededRandom } from '../../../src/lib/random.js';

type Call = (run: Supervised) => Promise<unknown>;

const twenty = <Result>(one: (at: number) => Result) => Array.from({ length: 20 }, (_, at) => one(at));

/** Ways in which 20 calls begin. */
const STARTS: Readonly<Record<string, (run: Supervised, call: Call) => Promise<unknown>>> = {
  'one after the other': async (run, call) => {
    for (let at = 0; at < 20; at++) await call(run);
  },
  'all together': (run, call) => Promise.allSettled(twenty(() => call(run))),
  'in children of one kind': (run, call) => Promise.allSettled(twenty(() => run.child('part', (part) => call(part)))),
  'in children of 20 kinds': (run, call) =>
    Promise.allSettled(twenty((at) => run.child(`part ${at}`, (part) => call(part)))),
  'inside of other calls': (run, call) =>
    Promise.allSettled(
      twenty(() =>
        run.spend(
          {},
          () => call(run),
          () => ({}),
        ),
      ),
    ),
};

/** Price of call number `at`, and whether it is known before. */
const PRICES: Readonly<
  Record<string, { readonly isKnown: boolean; readonly of: (at: number, random: Random) => number }>
> = {
  'known before': { isKnown: true, of: (_, random) => 0.05 + random() * 0.3 },
  'known afterwards, always the same': { isKnown: false, of: () => 0.3 },
  'known from an earlier process': { isKnown: false, of: () => 0.3 },
  'known afterwards, and rising': { isKnown: false, of: (at) => 0.02 * (at + 1) },
};

const LIMIT = 1;
const KNOWN = 'known before';
const LEARNED = 'known from an earlier process';
const RISING = 'known afterwards, and rising';

/** Limits: of a run, of all runs of a supervisor, and of four supervisors that share a folder as processes do. */
const LIMITS = ['budget', 'total', 'folder'] as const;

export interface OvershootReport {
  readonly combinations: number;
  readonly runs: number;
  /** Most that was paid above the limit of 1 dollar: with known prices, with equal ones, and with rising ones. */
  readonly overshootUsd: Readonly<Record<string, number>>;
  /** The same as a number of calls, each as large as the largest one. */
  readonly overshootCalls: Readonly<Record<string, number>>;
  readonly broken: readonly string[];
  readonly [count: string]: unknown;
}

/** Pays 20 or 80 calls under a limit of 1 dollar, in every combination of start, price and limit. */
export async function overshoot(seeds: number): Promise<OvershootReport> {
  const broken: string[] = [];
  const overshootUsd: Record<string, number> = {};
  const overshootCalls: Record<string, number> = {};
  let [combinations, runs] = [0, 0];
  for (const price of Object.keys(PRICES)) {
    for (const start of Object.keys(STARTS)) {
      for (const limit of LIMITS) {
        combinations++;
        for (let seed = 1; seed <= seeds; seed++) {
          runs++;
          const { above, calls } = await paid(price, start, limit, seededRandom(seed));
          overshootUsd[price] = Math.max(overshootUsd[price] ?? 0, above);
          overshootCalls[price] = Math.max(overshootCalls[price] ?? 0, calls);
          // One call for each process whose first call is of unknown size. Of rising prices, the excess is measured.
          const first = price === KNOWN || price === LEARNED ? 0 : limit === 'folder' ? 4 : 1;
          const most = price === RISING ? Number.POSITIVE_INFINITY : first;
          if (calls > most) broken.push(`${price}, ${start}, ${limit}: ${above} dollars too much`);
        }
      }
    }
  }
  return { combinations, runs, overshootUsd, overshootCalls, broken };
}

async function paid(price: string, start: string, limit: (typeof LIMITS)[number], random: Random) {
  const folder = limit === 'folder' ? mkdtempSync(join(tmpdir(), 'rsi-overshoot-')) : undefined;
  const amount = { usd: LIMIT };
  const options: SuperviseOptions =
    limit === 'budget' ? { budget: amount } : { total: amount, ...(folder && { folder }) };
  let [sum, largest, number] = [0, 0, 0];
  const { isKnown, of } = PRICES[price] ?? { isKnown: true, of: () => 0 };
  const call: Call = (run) => {
    const usd = of(number++, random);
    return run.spend(
      isKnown ? { usd } : { kind: 'model' },
      async () => {
        for (let turns = 1 + Math.floor(random() * 4); turns > 0; turns--) await new Promise(setImmediate);
        sum += usd;
        largest = Math.max(largest, usd);
      },
      () => ({ usd }),
    );
  };
  const loop = new RSILoop({ store: price === LEARNED ? await storeThatKnows(of(0, random)) : new MemoryStore() });
  const count = limit === 'folder' ? 4 : 1;
  const supervisors = Array.from({ length: count }, () => supervise(loop, { ...options, watch: false, graceMs: 50 }));
  await Promise.allSettled(supervisors.map((guarded) => guarded('work', (run) => STARTS[start]?.(run, call))));
  await loop.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  const above = Math.max(0, Number((sum - LIMIT).toFixed(6)));
  return { above, calls: Number((above / largest || 0).toFixed(2)) };
}

/** Returns the store of a process that paid for two calls and ended. */
async function storeThatKnows(usd: number): Promise<Store> {
  // Without `close`, the store outlives the loop.
  const { journal, ledger, snapshots, coordination } = new MemoryStore();
  const store = { journal, ledger, snapshots, coordination };
  const loop = new RSILoop({ store });
  const one = (run: Supervised) =>
    run.spend(
      { kind: 'model' },
      () => undefined,
      () => ({ usd }),
    );
  await supervise(loop)('work', (run) => Promise.all([one(run), one(run)]));
  await loop.close();
  return store;
}
