import type { Coordination } from '../contract/coordination.js';
import { check, checkEqual } from './check.js';
import { type ContractTest, defineSuite, type PartContractOptions, type TestRunner } from './contract-suite.js';

/** Defines the tests that every coordination of processes must pass. */
export function coordinationContract(
  name: string,
  runner: TestRunner,
  options: PartContractOptions<Coordination>,
): void {
  defineSuite(name, 'Coordination', runner, options, TESTS);
}

const TESTS: readonly ContractTest<Coordination>[] = [
  {
    sentence: 'gives a lease to one at a time, each with a higher fence',
    async body(open) {
      const { part } = await open();
      const first = await part.lease('cycle');
      check(first !== undefined && (await first.held()), 'the first one holds it');
      check((await part.lease('cycle')) === undefined, 'no other process gets it meanwhile');
      check((await part.lease('other')) !== undefined, 'names are apart');
      await first.release();
      await first.release();
      check(!(await first.held()), 'it was given back');
      const second = await part.lease('cycle');
      check(second !== undefined && second.fence > first.fence, 'the fence rises');
    },
  },
  {
    sentence: 'keeps a lease from the others until its holder gives it back or ends',
    needs: 'shared',
    async body(open) {
      const [one, { part: other }] = [await open(), await open()];
      const first = await one.part.lease('cycle');
      check(first !== undefined && (await other.lease('cycle')) === undefined, 'held by a living process');
      await one.close();
      const second = await other.lease('cycle');
      check(second !== undefined && second.fence > first.fence, 'taken over with a higher fence');
      const { part: third } = await open();
      const results = await Promise.all([other, third].map((part) => part.lease('report')));
      checkEqual(results.filter((lease) => lease !== undefined).length, 1);
    },
  },
  {
    sentence: 'lets the fence go on rising when it is opened again',
    needs: 'lasting',
    async body(open) {
      const before = await open();
      const lease = await before.part.lease('cycle');
      await before.close();
      const { part: after } = await open();
      const next = await after.lease('cycle');
      check(next !== undefined && lease !== undefined && next.fence > lease.fence, 'the fence keeps rising');
    },
  },
  {
    sentence: 'lists writers that are alive, each with a watermark',
    async body(open) {
      const { part } = await open();
      for (const { writer, alive, watermarkMs } of await part.writers()) {
        check(writer !== '' && alive && Number.isFinite(watermarkMs), 'a living writer has a name and a watermark');
      }
    },
  },
];
