import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { LedgerHead, LedgerLog } from '../contract/ledger-log.js';
import { check, checkEqual } from './check.js';
import { type ContractTest, defineSuite, type PartContractOptions, type TestRunner } from './contract-suite.js';
import { all, range, sampleEntry } from './sample-records.js';

/** Defines the tests that every ledger must pass. */
export function ledgerContract(name: string, runner: TestRunner, options: PartContractOptions<LedgerLog>): void {
  defineSuite(name, 'LedgerLog', runner, options, TESTS);
}

const TESTS: readonly ContractTest<LedgerLog>[] = [
  {
    sentence: 'begins empty and appends in order',
    async body(open) {
      const { part: ledger } = await open();
      checkEqual(await ledger.head(), { length: 0, hash: '' });
      const first = await ledger.append([sampleEntry(0), sampleEntry(1)], { length: 0, hash: '' });
      check(first.kind === 'ok' && first.head.length === 2 && first.head.hash !== '', 'the head moves on');
      const second = await ledger.append([sampleEntry(2)], first.head);
      check(second.kind === 'ok' && second.head.hash !== first.head.hash, 'every entry changes the hash');
      checkEqual(await ledger.head(), second.head);
      const entries = range(3).map((position) => ({ position, entry: sampleEntry(position) }));
      checkEqual(await all(ledger.read()), entries);
      checkEqual(await all(ledger.read(2)), entries.slice(2));
      checkEqual(await all(ledger.read(0, 1)), entries.slice(0, 1));
      checkEqual(await all(ledger.read(1, 2)), entries.slice(1, 2));
    },
  },
  {
    sentence: 'appends nothing when it has moved on, and says where it ends',
    async body(open) {
      const { part: ledger } = await open();
      const empty = await ledger.head();
      const first = await ledger.append([sampleEntry(0)], empty);
      const conflict = { kind: 'conflict', head: first.head };
      checkEqual(await ledger.append([sampleEntry(1)], empty), conflict);
      checkEqual(await ledger.append([sampleEntry(1)], { length: 1, hash: 'another' }), conflict);
      checkEqual(await ledger.append([], first.head), { kind: 'ok', head: first.head });
      checkEqual((await all(ledger.read())).length, 1);
    },
  },
  {
    sentence: 'lets exactly one of those who append at the same moment win',
    async body(open) {
      const { part: ledger } = await open();
      const head = await ledger.head();
      const results = await Promise.all(range(4).map((number) => ledger.append([sampleEntry(number)], head)));
      checkEqual(results.filter(({ kind }) => kind === 'ok').length, 1);
      checkEqual((await all(ledger.read())).length, 1);
    },
  },
  {
    sentence: 'shows one process what another decided',
    needs: 'shared',
    async body(open) {
      const [{ part: one }, { part: other }] = [await open(), await open()];
      const { head } = await one.append([sampleEntry(0)], await one.head());
      checkEqual(await other.head(), head);
      checkEqual(await all(other.read()), [{ position: 0, entry: sampleEntry(0) }]);
    },
  },
  {
    sentence: 'never forks when several processes append at the same time and try again',
    needs: 'shared',
    async body(open) {
      const opened = [await open(), await open(), await open(), await open()];
      const ledgers = opened.map(({ part }) => part);
      const EACH = 8;
      await Promise.all(
        ledgers.map(async (ledger, index) => {
          for (const number of range(EACH)) await appendAtLast(ledger, sampleEntry(index * EACH + number));
        }),
      );
      const numbers = range(ledgers.length * EACH);
      for (const ledger of ledgers) {
        const entries = await all(ledger.read());
        checkEqual(
          entries.map(({ position }) => position),
          numbers,
        );
        checkEqual(
          entries.map(({ entry }) => entry.atMs).sort((a, b) => a - b),
          numbers,
        );
        checkEqual((await ledger.head()).length, numbers.length);
      }
    },
  },
  {
    sentence: 'has every decision when it is opened again',
    needs: 'lasting',
    async body(open) {
      const before = await open();
      const { head } = await before.part.append([sampleEntry(0), sampleEntry(1)], await before.part.head());
      await before.close();
      const { part: after } = await open();
      checkEqual(await after.head(), head);
      checkEqual(
        (await all(after.read())).map(({ entry }) => entry),
        [sampleEntry(0), sampleEntry(1)],
      );
    },
  },
];

async function appendAtLast(ledger: LedgerLog, entry: LedgerEntry): Promise<void> {
  let head: LedgerHead = await ledger.head();
  for (;;) {
    const result = await ledger.append([entry], head);
    if (result.kind === 'ok') return;
    head = result.head;
  }
}
