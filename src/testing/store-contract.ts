import type { FixId, OutcomeId } from '../contract/ids.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { Json } from '../contract/json.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { Outcome } from '../contract/outcome.js';
import type { Cursor, LedgerHead, LogName, Logs, Store, Stored, StoreProblem } from '../contract/store.js';
import { check, checkEqual, checkRejects } from './check.js';

/** Functions of a test runner that the suite needs. Those of vitest, jest, mocha and node:test fit. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
}

/** One storage location, e.g. a separate folder or database for each test. */
export interface StorePlace {
  /** Opens the location; called several times if it is shared. */
  open(): Store | Promise<Store>;
  /** Removes the location after the test. */
  remove(): void | Promise<void>;
}

export interface StoreContractOptions {
  readonly create: () => StorePlace | Promise<StorePlace>;
  /** Whether several stores may be open in one location at the same time, as in several processes. */
  readonly shared: boolean;
  /** Whether records are still there when the location is opened again. */
  readonly lasting: boolean;
}

/** Defines the tests that every store must pass. */
export function storeContract(name: string, runner: TestRunner, options: StoreContractOptions): void {
  const test = (sentence: string, body: (open: () => Promise<Store>) => Promise<void>) => {
    runner.it(sentence, async () => {
      const place = await options.create();
      const opened: Store[] = [];
      try {
        await body(async () => {
          const store = await place.open();
          opened.push(store);
          return store;
        });
      } finally {
        for (const store of opened) await store.close();
        await place.remove();
      }
    });
  };
  runner.describe(`${name} keeps the contract of Store`, () => {
    journalTests(test);
    ledgerTests(test);
    stateTests(test);
    endTests(test);
    if (options.shared) sharedTests(test);
    if (options.lasting) lastingTests(test);
  });
}

type Test = (sentence: string, body: (open: () => Promise<Store>) => Promise<void>) => void;

function journalTests(test: Test): void {
  test('gives back what was written, in order, numbered from 0, without a flush', async (open) => {
    const store = await open();
    store.write([outcome(0), outcome(1)]);
    store.write([]);
    store.write([start(2)]);
    const found = await all(store, 'journal');
    checkEqual(
      found.map(({ position }) => position),
      [0, 1, 2],
    );
    checkEqual(
      found.map(({ writer }) => writer),
      [store.writer, store.writer, store.writer],
    );
    checkEqual(
      found.map(({ record }) => record),
      [outcome(0), outcome(1), start(2)],
    );
  });

  test('gives only what lies between two cursors', async (open) => {
    const store = await open();
    for (let number = 0; number < 10; number++) store.write([outcome(number)]);
    const { writer } = store;
    checkEqual(await positions(store, { [writer]: 7 }), [7, 8, 9]);
    checkEqual(await positions(store, { [writer]: 10 }), []);
    checkEqual(await positions(store, { somebody: 5 }), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    checkEqual(await positions(store, { [writer]: 2 }, { [writer]: 4 }), [2, 3]);
    checkEqual(await positions(store, {}, { somebody: 4 }), []);
    store.write([outcome(10)]);
    checkEqual(await positions(store, { [writer]: 10 }), [10]);
  });

  test('keeps every value as it was', async (open) => {
    const store = await open();
    const context: Json = JSON.parse(
      '{"__proto__":{"a":1},"constructor":"x","":"empty","n":[1e-7,-0.5,9007199254740991,null,true]}',
    );
    const texts = ['"\\\n\r\t\u0000\u2028 {"crc":"00000000",', 'äöü 漢字 😀', 'x'.repeat(300_000), '\n\n'];
    const records = texts.map((text, number): JournalRecord => {
      const { outcome: plain } = outcome(number);
      return { kind: 'outcome', outcome: { ...plain, actual: text, context: { text, context } } };
    });
    store.write(records);
    await store.flush();
    checkEqual(
      (await all(store, 'journal')).map(({ record }) => record),
      records,
    );
  });

  test('erases by session, by source and by both, and leaves the others where they were', async (open) => {
    const store = await open();
    const records = [
      outcome(0, { session: 'a', source: 'x' }),
      outcome(1, { session: 'b', source: 'x' }),
      outcome(2, { session: 'a', source: 'y' }),
      start(3, 'a'),
      outcome(4, { source: 'z' }),
    ];
    store.write(records);
    await store.save('patterns', { seen: 'a' }, 0);
    checkEqual((await store.erase({ session: 'a', source: 'x' }, { dryRun: true })).records, 1);
    checkEqual(await positions(store), [0, 1, 2, 3, 4]);
    checkEqual((await store.erase({ session: 'a', source: 'x' })).records, 1);
    checkEqual(await positions(store), [1, 2, 3, 4]);
    checkEqual((await store.erase({ session: 'a' })).records, 2);
    checkEqual((await store.erase({ session: 'a' })).records, 0);
    checkEqual((await store.erase({ source: 'z' })).records, 1);
    checkEqual(await all(store, 'journal'), [
      { writer: store.writer, position: 1, record: outcome(1, { session: 'b', source: 'x' }) },
    ]);
    check((await store.load('patterns')) === undefined, 'saved state may hold what was erased: it has to be forgotten');
    store.write([outcome(5)]);
    checkEqual(await positions(store), [1, 5]);
  });

  test('erases by agent and by text, also from what decisions quote, and says so in the ledger', async (open) => {
    const store = await open();
    store.write([outcome(0, { agent: 'one' }), outcome(1, { actual: 'Zebediah called' }), outcome(2)]);
    const quoting = [
      { ...entry(0), reason: 'Zebediah called often' },
      { ...entry(1), reason: 'often' },
    ];
    await store.decide(quoting, await store.head());
    checkEqual((await store.erase({ agent: 'one' })).records, 1);
    const receipt = await store.erase({ text: 'Zebediah' }, { by: 'a person' });
    checkEqual([receipt.records, receipt.decisions], [1, 1]);
    checkEqual(await positions(store), [2]);
    const left = (await all(store, 'ledger')).map(({ record }) => record);
    check(!JSON.stringify(left).includes('Zebediah'), 'no decision holds the text');
    checkEqual(
      left.map(({ kind }) => kind),
      ['frozen', 'frozen', 'erased', 'erased'],
    );
    // A decision can follow the changed ones.
    check((await store.decide([entry(2)], await store.head())).kind === 'ok', 'the ledger goes on');
    await checkRejects(store.erase({ text: '' }), 'invalid-input');
  });

  test('refuses to erase everything by accident', async (open) => {
    const store = await open();
    store.write([outcome(0)]);
    await checkRejects(store.erase({}), 'invalid-input');
    checkEqual(await positions(store), [0]);
  });

  test('names this process among the writers, with a watermark before which everything can be read', async (open) => {
    const store = await open();
    store.write([outcome(0)]);
    const own = (await store.writers()).find(({ writer }) => writer === store.writer);
    check(own?.alive === true, 'the process itself lives');
    check(Number.isFinite(own?.watermarkMs), 'the watermark is a time');
    checkEqual(await positions(store), [0]);
  });
}

function ledgerTests(test: Test): void {
  test('begins with an empty ledger and appends in order', async (open) => {
    const store = await open();
    checkEqual(await store.head(), { length: 0, hash: '' });
    const first = await store.decide([entry(0), entry(1)], { length: 0, hash: '' });
    check(first.kind === 'ok' && first.head.length === 2 && first.head.hash !== '', 'the head moves on');
    const second = await store.decide([entry(2)], first.head);
    check(second.kind === 'ok' && second.head.hash !== first.head.hash, 'every entry changes the hash');
    checkEqual(await store.head(), second.head);
    checkEqual(
      (await all(store, 'ledger')).map(({ writer, position, record }) => [writer, position, record]),
      [0, 1, 2].map((number) => ['ledger', number, entry(number)]),
    );
    checkEqual(
      (await all(store, 'ledger', { ledger: 2 })).map(({ record }) => record),
      [entry(2)],
    );
    checkEqual(
      (await all(store, 'ledger', {}, { ledger: 1 })).map(({ record }) => record),
      [entry(0)],
    );
  });

  test('appends nothing when the ledger has moved on, and says where it ends', async (open) => {
    const store = await open();
    const empty = await store.head();
    const first = await store.decide([entry(0)], empty);
    checkEqual(await store.decide([entry(1)], empty), { kind: 'conflict', head: first.head });
    checkEqual(await store.decide([entry(1)], { length: 1, hash: 'another' }), { kind: 'conflict', head: first.head });
    checkEqual(await store.decide([], first.head), { kind: 'ok', head: first.head });
    checkEqual((await all(store, 'ledger')).length, 1);
  });

  test('lets exactly one of those who decide at the same moment win', async (open) => {
    const store = await open();
    const head = await store.head();
    const results = await Promise.all([0, 1, 2, 3].map((number) => store.decide([entry(number)], head)));
    checkEqual(results.filter(({ kind }) => kind === 'ok').length, 1);
    checkEqual((await all(store, 'ledger')).length, 1);
  });
}

function stateTests(test: Test): void {
  test('saves state only over the version that was read', async (open) => {
    const store = await open();
    check((await store.load('patterns')) === undefined, 'there is none yet');
    check(await store.save('patterns', { a: [1, 'ä', null] }, 0), 'the first save');
    check(!(await store.save('patterns', {}, 0)), 'somebody saved first');
    checkEqual(await store.load('patterns'), { version: 1, value: { a: [1, 'ä', null] } });
    check(await store.save('patterns', 7, 1), 'the second save');
    checkEqual(await store.load('patterns'), { version: 2, value: 7 });
    check((await store.load('health')) === undefined, 'names are apart');
    const results = await Promise.all([1, 2, 3].map((value) => store.save('patterns', value, 2)));
    checkEqual(results.filter((saved) => saved).length, 1);
  });

  test('gives a lease to one at a time, each with a higher fence', async (open) => {
    const store = await open();
    const first = await store.lease('cycle');
    check(first !== undefined && (await first.held()), 'the first one holds it');
    check((await store.lease('cycle')) === undefined, 'nobody else gets it meanwhile');
    check((await store.lease('other')) !== undefined, 'names are apart');
    await first.release();
    await first.release();
    check(!(await first.held()), 'it was given back');
    const second = await store.lease('cycle');
    check(second !== undefined && second.fence > first.fence, 'the fence rises');
  });
}

function endTests(test: Test): void {
  test('never throws into the one who records, and counts what comes after the end', async (open) => {
    const store = await open();
    const problems: StoreProblem[] = [];
    store.onProblem(() => {
      throw new Error('a listener of the host');
    });
    store.onProblem((problem) => problems.push(problem));
    store.write([outcome(0)]);
    await store.close();
    await store.close();
    store.write([outcome(1), outcome(2)]);
    const dropped = problems.filter(({ kind }) => kind === 'dropped').map(({ count }) => count ?? 0);
    checkEqual(
      dropped.reduce((sum, count) => sum + count, 0),
      2,
    );
    await checkRejects(store.decide([entry(0)], { length: 0, hash: '' }), 'closed');
    await checkRejects(store.save('patterns', 1, 0), 'closed');
    await checkRejects(store.lease('cycle'), 'closed');
  });
}

function sharedTests(test: Test): void {
  test('shows one process what another wrote, decided and saved', async (open) => {
    const [one, other] = [await open(), await open()];
    check(one.writer !== other.writer, 'every process writes under a name of its own');
    one.write([outcome(0)]);
    other.write([outcome(1)]);
    await Promise.all([one.flush(), other.flush()]);
    const seen = new Set((await all(other, 'journal')).map(({ writer, position }) => `${writer} ${position}`));
    checkEqual([...seen].sort(), [`${one.writer} 0`, `${other.writer} 0`].sort());
    const { head } = await one.decide([entry(0)], await one.head());
    checkEqual(await other.head(), head);
    check(await one.save('patterns', 1, 0), 'saved by the one');
    check(!(await other.save('patterns', 2, 0)), 'the other has to read it first');
    const writers = (await other.writers()).map(({ writer }) => writer);
    check(writers.includes(one.writer) && writers.includes(other.writer), 'both are writers');
  });

  test('never forks the ledger when several decide at once and try again', async (open) => {
    const stores = [await open(), await open(), await open(), await open()];
    const EACH = 8;
    await Promise.all(
      stores.map(async (store, index) => {
        for (let number = 0; number < EACH; number++) await decideAtLast(store, entry(index * EACH + number));
      }),
    );
    for (const store of stores) {
      const entries = await all(store, 'ledger');
      checkEqual(
        entries.map(({ position }) => position),
        range(stores.length * EACH),
      );
      checkEqual(
        entries.map(({ record }) => record.atMs).sort((a, b) => a - b),
        range(stores.length * EACH),
      );
      checkEqual((await store.head()).length, stores.length * EACH);
    }
  });

  test('keeps a lease from the others until its holder gives it back or ends', async (open) => {
    const [one, other] = [await open(), await open()];
    const first = await one.lease('cycle');
    check(first !== undefined && (await other.lease('cycle')) === undefined, 'held by a living process');
    await one.close();
    const second = await other.lease('cycle');
    check(second !== undefined && second.fence > first.fence, 'taken over with a higher fence');
    const third = await open();
    const results = await Promise.all([other, third].map((store) => store.lease('report')));
    checkEqual(results.filter((lease) => lease !== undefined).length, 1);
  });

  test('erases what others wrote, also while they go on writing', async (open) => {
    const [one, other] = [await open(), await open()];
    one.write([outcome(0, { session: 'a' }), outcome(1)]);
    await one.flush();
    checkEqual((await other.erase({ session: 'a' })).records, 1);
    one.write([outcome(2)]);
    await one.flush();
    checkEqual(
      (await all(other, 'journal')).map(({ position }) => position),
      [1, 2],
    );
  });
}

function lastingTests(test: Test): void {
  test('has everything when it is opened again', async (open) => {
    const before = await open();
    before.write(range(1_000).map((number) => outcome(number)));
    const { head } = await before.decide([entry(0), entry(1)], await before.head());
    await before.save('patterns', { a: 1 }, 0);
    const lease = await before.lease('cycle');
    await before.close();
    const after = await open();
    checkEqual(
      (await all(after, 'journal')).map(({ record }) => record),
      range(1_000).map((number) => outcome(number)),
    );
    checkEqual(await after.head(), head);
    checkEqual(
      (await all(after, 'ledger')).map(({ record }) => record),
      [entry(0), entry(1)],
    );
    checkEqual(await after.load('patterns'), { version: 1, value: { a: 1 } });
    const next = await after.lease('cycle');
    check(next !== undefined && lease !== undefined && next.fence > lease.fence, 'the fence goes on rising');
    after.write([outcome(0)]);
    checkEqual((await positions(after, { [before.writer]: 1_000 })).length, 1);
  });
}

async function all<Name extends LogName>(
  store: Store,
  log: Name,
  after?: Cursor,
  upTo?: Cursor,
): Promise<Stored<Logs[Name]>[]> {
  const found: Stored<Logs[Name]>[] = [];
  for await (const stored of store.read(log, after, upTo)) found.push(stored);
  return found;
}

async function positions(store: Store, after?: Cursor, upTo?: Cursor): Promise<number[]> {
  return (await all(store, 'journal', after, upTo)).map(({ position }) => position);
}

async function decideAtLast(store: Store, decision: LedgerEntry): Promise<void> {
  let head: LedgerHead = await store.head();
  for (;;) {
    const result = await store.decide([decision], head);
    if (result.kind === 'ok') return;
    head = result.head;
  }
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function outcome(
  number: number,
  more: Partial<Pick<Outcome, 'session' | 'source' | 'agent' | 'actual'>> = {},
): Extract<JournalRecord, { kind: 'outcome' }> {
  const id = `o${number}` as OutcomeId; // an id of the suite's own
  const plain = {
    id,
    task: 'api_call',
    success: number % 2 === 0,
    atMs: 1_000 + number,
    source: 'generic',
    issues: [],
  };
  return { kind: 'outcome', outcome: { ...plain, ...more } };
}

function start(number: number, session?: string): JournalRecord {
  return {
    kind: 'start',
    start: {
      id: `o${number}` as OutcomeId, // an id of the suite's own
      task: 'api_call',
      atMs: 1_000 + number,
      deadlineMs: 9_000,
      scope: { task: 'api_call', source: 'generic' },
      arms: [{ fixId: 'f1' as FixId, unit: `o${number}`, arm: 'fix', share: 0.5 }],
      writer: 'w',
      counter: number,
      ...(session === undefined ? {} : { session }),
    },
  };
}

function entry(number: number): Extract<LedgerEntry, { kind: 'frozen' }> {
  return { kind: 'frozen', atMs: number, by: 'the contract', reason: `decision ${number}` };
}
