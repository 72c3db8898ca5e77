import type { Cursor, Journal } from '../contract/journal.js';
import type { Json } from '../contract/json.js';
import { check, checkEqual } from './check.js';
import { type ContractTest, defineSuite, type PartContractOptions, type TestRunner } from './contract-suite.js';
import { all, range, sampleOutcome, sampleStart } from './sample-records.js';

/** Defines the tests that every journal must pass. */
export function journalContract(name: string, runner: TestRunner, options: PartContractOptions<Journal>): void {
  defineSuite(name, 'Journal', runner, options, TESTS);
}

const TESTS: readonly ContractTest<Journal>[] = [
  {
    sentence: 'gives back what was appended, in order, numbered from 0, without a flush',
    async body(open) {
      const { part: journal } = await open();
      const { writer } = journal;
      journal.append([sampleOutcome(0), sampleOutcome(1)]);
      journal.append([]);
      journal.append([sampleStart(2)]);
      checkEqual(await all(journal.read()), [
        { writer, position: 0, record: sampleOutcome(0) },
        { writer, position: 1, record: sampleOutcome(1) },
        { writer, position: 2, record: sampleStart(2) },
      ]);
      check(journal.queued >= 0, 'the number of queued records is known');
    },
  },
  {
    sentence: 'gives only what lies between two cursors',
    async body(open) {
      const { part: journal } = await open();
      for (const number of range(10)) journal.append([sampleOutcome(number)]);
      const { writer } = journal;
      checkEqual(await positions(journal, { [writer]: 7 }), [7, 8, 9]);
      checkEqual(await positions(journal, { [writer]: 10 }), []);
      checkEqual(await positions(journal, { other: 5 }), range(10));
      checkEqual(await positions(journal, { [writer]: 2 }, { [writer]: 4 }), [2, 3]);
      checkEqual(await positions(journal, {}, { other: 4 }), []);
      journal.append([sampleOutcome(10)]);
      checkEqual(await positions(journal, { [writer]: 10 }), [10]);
    },
  },
  {
    sentence: 'keeps every value as it was',
    async body(open) {
      const { part: journal } = await open();
      const context: Json = JSON.parse(
        '{"__proto__":{"a":1},"constructor":"x","":"empty","n":[1e-7,-0.5,9007199254740991,null,true]}',
      );
      const texts = ['"\\\n\r\t\u0000\u2028 {"crc":"00000000",', 'äöü 漢字 😀', 'x'.repeat(300_000), '\n\n'];
      const records = texts.map((text, number) => sampleOutcome(number, { actual: text, context: { text, context } }));
      journal.append(records);
      await journal.flush();
      checkEqual(
        (await all(journal.read())).map(({ record }) => record),
        records,
      );
    },
  },
  {
    sentence: 'shows one process what another appended, under a writer of its own',
    needs: 'shared',
    async body(open) {
      const [{ part: one }, { part: other }] = [await open(), await open()];
      check(one.writer !== other.writer, 'every process writes under a name of its own');
      one.append([sampleOutcome(0)]);
      other.append([sampleOutcome(1)]);
      await Promise.all([one.flush(), other.flush()]);
      const seen = new Set((await all(other.read())).map(({ writer, position }) => `${writer} ${position}`));
      checkEqual([...seen].sort(), [`${one.writer} 0`, `${other.writer} 0`].sort());
    },
  },
  {
    sentence: 'has every record when it is opened again',
    needs: 'lasting',
    async body(open) {
      const before = await open();
      before.part.append(range(1_000).map((number) => sampleOutcome(number)));
      await before.part.flush();
      await before.close();
      const { part: after } = await open();
      checkEqual(
        (await all(after.read())).map(({ record }) => record),
        range(1_000).map((number) => sampleOutcome(number)),
      );
      after.append([sampleOutcome(0)]);
      checkEqual((await positions(after, { [before.part.writer]: 1_000 })).length, 1);
    },
  },
];

async function positions(journal: Journal, after?: Cursor, upTo?: Cursor): Promise<number[]> {
  return (await all(journal.read(after, upTo))).map(({ position }) => position);
}
