import type { Snapshots } from '../contract/snapshots.js';
import { check, checkEqual } from './check.js';
import { type ContractTest, defineSuite, type PartContractOptions, type TestRunner } from './contract-suite.js';

/** Defines the tests that every store of snapshots must pass. */
export function snapshotsContract(name: string, runner: TestRunner, options: PartContractOptions<Snapshots>): void {
  defineSuite(name, 'Snapshots', runner, options, TESTS);
}

const TESTS: readonly ContractTest<Snapshots>[] = [
  {
    sentence: 'saves state only over the version that was read',
    async body(open) {
      const { part: snapshots } = await open();
      check((await snapshots.load('patterns')) === undefined, 'there is none yet');
      check(await snapshots.save('patterns', { a: [1, 'ä', null] }, 0), 'the first save');
      check(!(await snapshots.save('patterns', {}, 0)), 'another save came first');
      checkEqual(await snapshots.load('patterns'), { version: 1, value: { a: [1, 'ä', null] } });
      check(await snapshots.save('patterns', 7, 1), 'the second save');
      checkEqual(await snapshots.load('patterns'), { version: 2, value: 7 });
      check((await snapshots.load('health')) === undefined, 'names are apart');
      const results = await Promise.all([1, 2, 3].map((value) => snapshots.save('patterns', value, 2)));
      checkEqual(results.filter((saved) => saved).length, 1);
    },
  },
  {
    sentence: 'saves over the version of another process only after reading it',
    needs: 'shared',
    async body(open) {
      const [{ part: one }, { part: other }] = [await open(), await open()];
      check(await one.save('patterns', 1, 0), 'saved by the one');
      check(!(await other.save('patterns', 2, 0)), 'the other has to read it first');
      checkEqual(await other.load('patterns'), { version: 1, value: 1 });
    },
  },
  {
    sentence: 'has the last version when it is opened again',
    needs: 'lasting',
    async body(open) {
      const before = await open();
      await before.part.save('patterns', { a: 1 }, 0);
      await before.close();
      const { part: after } = await open();
      checkEqual(await after.load('patterns'), { version: 1, value: { a: 1 } });
    },
  },
];
