import { ManualClock } from 'rsi-loop/testing';
import type { StoreProblem } from '../../src/contract/store.js';
import { seededRandom } from '../../src/lib/random.js';
import { FileStore, type FileStoreOptions, type ProcessTable, verifyLedger } from '../../src/node/index.js';
import { decideAtLast, decision, decisionsIn, outcome, outcomesIn } from './folder.js';
import type { SimulatedDisk } from './simulated-disk.js';

/** Records that the store acknowledged. */
export interface Acknowledged {
  records: number;
  decisions: number;
  states: number;
}

/** A store on a simulated disk, in a process of its own; `alive` names the processes that live. */
export function simulatedStore(
  disk: SimulatedDisk,
  pid: number,
  alive: ReadonlySet<number>,
  options: FileStoreOptions = {},
): { store: FileStore; clock: ManualClock; problems: StoreProblem[] } {
  const clock = new ManualClock(1_700_000_000_000 + pid * 1_000);
  const processes: ProcessTable = {
    self: { host: 'simulated', pid, started: String(pid) },
    liveness: (other) => (alive.has(other.pid) ? 'alive' : 'dead'),
  };
  const store = new FileStore('/data', {
    fs: disk,
    clock,
    processes,
    segmentBytes: 2_000,
    ledgerPartFiles: 3,
    ...options,
  });
  const problems: StoreProblem[] = [];
  store.onProblem((problem) => problems.push(problem));
  return { store, clock, problems };
}

/** Records, rotates, decides, saves and leads, and notes what it was promised. */
export async function workload(store: FileStore, seed: number, told: Acknowledged): Promise<void> {
  const random = seededRandom(seed);
  let written = 0;
  for (let step = 0; step < 6; step++) {
    const count = 1 + Math.floor(random() * 12);
    for (let index = 0; index < count; index++) store.journal.append([outcome(written++)]);
    if (random() < 0.7) {
      const now = written;
      await store.journal.flush();
      told.records = now;
    }
    if (step === 1) await store.coordination.lease('cycle');
    if (random() < 0.7) {
      const { length } = await decideAtLast(store, decision((await store.ledger.head()).length));
      told.decisions = length;
    }
    if (random() < 0.5) {
      const saved = (await store.snapshots.load('patterns'))?.version ?? 0;
      if (await store.snapshots.save('patterns', { written }, saved)) told.states = saved + 1;
    }
  }
  await store.journal.flush();
  told.records = written;
}

/** Opens what is left and says in which way it breaks a promise; `undefined` when it keeps them all. */
export async function brokenPromise(disk: SimulatedDisk, told: Acknowledged): Promise<string | undefined> {
  const { store, clock } = simulatedStore(disk, 999, new Set([999]));
  const records = await outcomesIn(store);
  const numbers = new Set(records.map(({ number }) => number));
  if (numbers.size !== records.length) return 'a record is there twice';
  for (let number = 0; number < told.records; number++) if (!numbers.has(number)) return `record ${number} is lost`;
  const decisions = await decisionsIn(store);
  if (decisions.some((number, index) => number !== index)) return `decisions out of order: ${decisions.join(' ')}`;
  if (decisions.length < told.decisions) return `decision ${decisions.length} is lost`;
  const { faults } = await verifyLedger('/data', disk);
  const wrong = faults.find(({ kind }) => kind !== 'beyond-head' && !(kind === 'no-head' && told.decisions === 0));
  if (wrong !== undefined) return `the ledger has a fault: ${wrong.message}`;
  const state = await store.snapshots.load('patterns');
  if ((state?.version ?? 0) < told.states) return 'a saved state is lost';
  // And it goes on from here without help.
  store.journal.append([outcome(5_000)]);
  await store.journal.flush();
  await decideAtLast(store, decision(decisions.length));
  if (!(await store.snapshots.save('patterns', {}, state?.version ?? 0))) return 'state cannot be saved any more';
  // The heartbeat of the dead process may be torn too: then only its silence shows that it is dead.
  let lease = await store.coordination.lease('cycle');
  if (lease === undefined) {
    await clock.advance(9_000);
    lease = await store.coordination.lease('cycle');
  }
  if (lease === undefined) return 'a dead process still leads';
  const after = await outcomesIn(store);
  if (after.length !== records.length + 1) return 'the next record is not there';
  if (disk.openHandles > 4) return `${disk.openHandles} handles are open`;
  await store.close();
  return disk.openHandles === 0 ? undefined : `${disk.openHandles} handles are left`;
}
