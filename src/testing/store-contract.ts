import type { JournalRecord } from '../contract/journal-record.js';
import type { Store, StoreProblem } from '../contract/store.js';
import { check, checkEqual, checkRejects } from './check.js';
import { type ContractTest, defineSuite, type PartContractOptions, type TestRunner } from './contract-suite.js';
import { coordinationContract } from './coordination-contract.js';
import { journalContract } from './journal-contract.js';
import { ledgerContract } from './ledger-contract.js';
import { all, sampleEntry, sampleOutcome, sampleStart } from './sample-records.js';
import { snapshotsContract } from './snapshots-contract.js';

/** One storage location, e.g. a separate folder or database for each test. */
export interface StorePlace {
  /** Opens the location; called several times if it is shared or lasting. */
  open(): Store | Promise<Store>;
  /** Removes the location after the test. */
  remove(): void | Promise<void>;
}

export interface StoreContractOptions extends Omit<PartContractOptions<Store>, 'create'> {
  readonly create: () => StorePlace | Promise<StorePlace>;
}

/**
 * Defines the tests that every store must pass: the suites of its four parts, and what they promise together. The tests
 * of `erase` and `close` run only if the store has them.
 */
export function storeContract(name: string, runner: TestRunner, options: StoreContractOptions): void {
  const { shared, lasting } = options;
  const part = <Part>(partOf: (store: Store) => Part): PartContractOptions<Part> => ({
    shared,
    lasting,
    create: async () => {
      const place = await options.create();
      return {
        open: async () => {
          const store = await place.open();
          return { part: partOf(store), close: async () => store.close?.() };
        },
        remove: () => place.remove(),
      };
    },
  });
  journalContract(
    name,
    runner,
    part(({ journal }) => journal),
  );
  ledgerContract(
    name,
    runner,
    part(({ ledger }) => ledger),
  );
  snapshotsContract(
    name,
    runner,
    part(({ snapshots }) => snapshots),
  );
  coordinationContract(
    name,
    runner,
    part(({ coordination }) => coordination),
  );
  defineSuite(
    name,
    'Store',
    runner,
    part((store) => store),
    TESTS,
  );
}

const TESTS: readonly ContractTest<Store>[] = [
  {
    sentence: 'names this process among the writers, with a watermark before which everything can be read',
    async body(open) {
      const { part: store } = await open();
      store.journal.append([sampleOutcome(0)]);
      const own = (await store.coordination.writers()).find(({ writer }) => writer === store.journal.writer);
      check(own?.alive === true, 'the process itself lives');
      check(Number.isFinite(own?.watermarkMs), 'the watermark is a time');
      checkEqual(await positions(store), [0]);
    },
  },
  {
    sentence: 'names every process among the writers',
    needs: 'shared',
    async body(open) {
      const [{ part: one }, { part: other }] = [await open(), await open()];
      for (const { journal } of [one, other]) {
        journal.append([sampleOutcome(0)]);
        await journal.flush();
      }
      const writers = (await other.coordination.writers()).map(({ writer }) => writer);
      check(writers.includes(one.journal.writer) && writers.includes(other.journal.writer), 'both are writers');
    },
  },
  {
    sentence: 'erases by session, by source and by both, and leaves the others where they were',
    async body(open) {
      const { part: store } = await open();
      const erase = eraserOf(store);
      if (!erase) return;
      const kept = sampleOutcome(1, { session: 'b', source: 'x' });
      store.journal.append([
        sampleOutcome(0, { session: 'a', source: 'x' }),
        kept,
        sampleOutcome(2, { session: 'a', source: 'y' }),
        sampleStart(3, 'a'),
        sampleOutcome(4, { source: 'z' }),
      ]);
      await store.snapshots.save('patterns', { seen: 'a' }, 0);
      checkEqual((await erase({ session: 'a', source: 'x' }, { dryRun: true })).records, 1);
      checkEqual(await positions(store), [0, 1, 2, 3, 4]);
      checkEqual((await erase({ session: 'a', source: 'x' })).records, 1);
      checkEqual(await positions(store), [1, 2, 3, 4]);
      checkEqual((await erase({ session: 'a' })).records, 2);
      checkEqual((await erase({ session: 'a' })).records, 0);
      checkEqual((await erase({ source: 'z' })).records, 1);
      checkEqual(await all(store.journal.read()), [{ writer: store.journal.writer, position: 1, record: kept }]);
      const saved = await store.snapshots.load('patterns');
      check(saved === undefined, 'saved state may hold what was erased: it has to be forgotten');
      store.journal.append([sampleOutcome(5)]);
      checkEqual(await positions(store), [1, 5]);
    },
  },
  {
    sentence: 'erases by agent and by text, also from what decisions quote, and says so in the ledger',
    async body(open) {
      const { part: store } = await open();
      const erase = eraserOf(store);
      if (!erase) return;
      const { journal, ledger } = store;
      const records: JournalRecord[] = [
        sampleOutcome(0, { agent: 'one' }),
        sampleOutcome(1, { actual: 'Zebediah called' }),
        sampleOutcome(2),
      ];
      journal.append(records);
      const quoting = [
        { ...sampleEntry(0), reason: 'Zebediah called often' },
        { ...sampleEntry(1), reason: 'often' },
      ];
      await ledger.append(quoting, await ledger.head());
      checkEqual((await erase({ agent: 'one' })).records, 1);
      const receipt = await erase({ text: 'Zebediah' }, { by: 'a person' });
      checkEqual([receipt.records, receipt.decisions], [1, 1]);
      checkEqual(await positions(store), [2]);
      const left = (await all(ledger.read())).map(({ entry }) => entry);
      check(!JSON.stringify(left).includes('Zebediah'), 'no decision holds the text');
      checkEqual(
        left.map(({ kind }) => kind),
        ['frozen', 'frozen', 'erased', 'erased'],
      );
      // A decision can follow the changed ones.
      check((await ledger.append([sampleEntry(2)], await ledger.head())).kind === 'ok', 'the ledger continues');
      await checkRejects(erase({ text: '' }), 'invalid-input');
    },
  },
  {
    sentence: 'refuses to erase everything by accident',
    async body(open) {
      const { part: store } = await open();
      const erase = eraserOf(store);
      if (!erase) return;
      store.journal.append([sampleOutcome(0)]);
      await checkRejects(erase({}), 'invalid-input');
      checkEqual(await positions(store), [0]);
    },
  },
  {
    sentence: 'erases what others wrote, also while they go on writing',
    needs: 'shared',
    async body(open) {
      const [{ part: one }, { part: other }] = [await open(), await open()];
      const erase = eraserOf(other);
      if (!erase) return;
      one.journal.append([sampleOutcome(0, { session: 'a' }), sampleOutcome(1)]);
      await one.journal.flush();
      checkEqual((await erase({ session: 'a' })).records, 1);
      one.journal.append([sampleOutcome(2)]);
      await one.journal.flush();
      checkEqual(await positions(other), [1, 2]);
    },
  },
  {
    sentence: 'never throws into the one who records, and counts what comes after the end',
    async body(open) {
      const { part: store } = await open();
      if (store.close === undefined) return;
      const problems: StoreProblem[] = [];
      store.onProblem?.(() => {
        throw new Error('a listener of the host');
      });
      store.onProblem?.((problem) => problems.push(problem));
      store.journal.append([sampleOutcome(0)]);
      await store.close();
      await store.close();
      store.journal.append([sampleOutcome(1), sampleOutcome(2)]);
      const dropped = problems.filter(({ kind }) => kind === 'dropped').map(({ count }) => count ?? 0);
      const expected = store.onProblem === undefined ? 0 : 2;
      checkEqual(
        dropped.reduce((sum, count) => sum + count, 0),
        expected,
      );
      await checkRejects(store.ledger.append([sampleEntry(0)], { length: 0, hash: '' }), 'closed');
      await checkRejects(store.snapshots.save('patterns', 1, 0), 'closed');
      await checkRejects(store.coordination.lease('cycle'), 'closed');
    },
  },
];

function eraserOf(store: Store): Store['erase'] {
  return store.erase?.bind(store);
}

async function positions({ journal }: Store): Promise<number[]> {
  return (await all(journal.read())).map(({ position }) => position);
}
