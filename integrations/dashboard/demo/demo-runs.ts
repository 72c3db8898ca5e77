import { RSILoop } from 'rsi-loop';
import { orchestrate, type RunStep, type RunStore, type TaskSpec, type WorkerFunction } from 'rsi-loop/orchestrate';
import { KeptRuns } from '../../reports/kept-runs.js';
import type { SimulatedClock } from './simulated-clock.js';

const CUSTOMERS = ['Acme', 'Borealis', 'Cobalt', 'Dune', 'Elm & Sons', 'Fjord'];
const MINUTE_MS = 60_000;

/** Reads, checks and sends the invoices of each customer, and then writes a report. */
const TASKS: readonly TaskSpec[] = [
  ...CUSTOMERS.flatMap((customer): readonly TaskSpec[] => [
    { id: `read ${customer}`, worker: 'read', input: customer, priority: 1 },
    { id: `check ${customer}`, worker: 'check', input: customer, after: [`read ${customer}`] },
    { id: `send ${customer}`, worker: 'send', input: customer, after: [`check ${customer}`], idempotent: false },
  ]),
  { id: 'report', worker: 'report', after: CUSTOMERS.map((customer) => `send ${customer}`), afterFailure: 'run' },
];

/** Simulates two runs of tasks: one in which a check fails, and one that is stopped on the way. */
export async function demoRuns(clock: SimulatedClock): Promise<KeptRuns> {
  const steps = new Map<string, RunStep[]>();
  const loop = new RSILoop({ clock });
  const store = memoryStore(steps);
  const stop = new AbortController();
  const worker =
    (minutes: number, work: (input: unknown) => string): WorkerFunction =>
    ({ input }) => {
      clock.pass(minutes * MINUTE_MS);
      return work(input);
    };
  const workers = {
    read: worker(2, (customer) => `4 invoices of ${customer}`),
    check: worker(1, (customer) => {
      if (customer === 'Dune') throw new RangeError('net and gross amount differ by 0.01 in invoice 3');
      return 'the amounts add up';
    }),
    send: worker(0.5, (customer) => `sent to ${customer}`),
    report: worker(1, () => 'invoices of 5 of 6 customers are sent'),
  };
  const options = { name: 'monthly-invoices', tasks: TASKS, concurrency: 1, store };
  await orchestrate(loop, { ...options, id: 'october', workers });
  clock.pass(30 * MINUTE_MS);
  const send = worker(0.5, (customer) => {
    if (customer === 'Cobalt') stop.abort(new Error('SIGTERM: the machine restarts'));
    return `sent to ${customer}`;
  });
  await orchestrate(loop, { ...options, id: 'november', workers: { ...workers, send }, signal: stop.signal });
  await loop.close();
  return new KeptRuns({
    name: 'memory',
    versions: async () => new Map([...steps].map(([id, { length }]) => [id, `${length}`])),
    isRunning: async () => false,
    open: () => store,
  });
}

function memoryStore(steps: Map<string, RunStep[]>): RunStore {
  return {
    list: async () => [...steps.keys()],
    load: async (id) => steps.get(id) ?? [],
    add: async (id, step) => {
      steps.set(id, [...(steps.get(id) ?? []), step]);
    },
    claim: async () => ({ release: async () => undefined }),
    // No process takes them.
    request: async () => undefined,
    requests: async () => [],
    close: async () => undefined,
  };
}
