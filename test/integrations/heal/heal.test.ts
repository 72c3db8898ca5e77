import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { exportOutcomes, RSILoop } from 'rsi-loop';
import { type HealOptions, heal } from 'rsi-loop/heal';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';

function loopFor(options: ConstructorParameters<typeof RSILoop>[0] = {}) {
  const loop = new RSILoop(options);
  onTestFinished(() => loop.close());
  return loop;
}

/** Reads everything that comes piece by piece. Node 20 has no `Array.fromAsync`. */
async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const revoked = Proxy.revocable({}, {});
revoked.revoke();
/** Values that code throws: of every type, frozen, from another realm, and hostile to their readers. */
const THROWN: Readonly<Record<string, () => unknown>> = {
  error: () => new TypeError('no such field'),
  undefined: () => undefined,
  null: () => null,
  text: () => 'text',
  number: () => Number.NaN,
  symbol: () => Symbol('thrown'),
  bigint: () => 7n,
  frozen: () => Object.freeze(new Error('frozen')),
  'of another realm': () => runInNewContext("new RangeError('elsewhere')"),
  function: () => () => undefined,
  'without a prototype': () => Object.create(null),
  'a revoked proxy': () => revoked.proxy,
  'a stack that throws': () =>
    Object.defineProperty(new Error('x'), 'stack', {
      get: () => {
        throw new Error('no stack');
      },
    }),
  'a message that throws': () => ({
    get message() {
      throw new Error('no message');
    },
  }),
  'a name that is no text': () =>
    Object.assign(new Error('x'), {
      name: {
        toString: () => {
          throw new Error('no name');
        },
      },
    }),
  transient: () => Object.assign(new Error('429 Too Many Requests'), { status: 429 }),
  'a cycle': () => {
    const error = new Error('x');
    (error as { cause?: unknown }).cause = error;
    return error;
  },
  'a huge message': () => new Error('x'.repeat(1_000_000)),
};

/** Node's own streams replace other values, or crash, with or without healing. */
const FOR_NODE_STREAMS = ['error', 'frozen', 'of another realm', 'transient', 'a cycle', 'a huge message'];

/** Kinds of functions, each with a reader that ends as a caller does. */
const KINDS: Readonly<
  Record<
    string,
    (fail: () => never) => readonly [fn: (...args: never[]) => unknown, read: (result: unknown) => unknown]
  >
> = {
  sync: (fail) => [() => fail(), (result) => result],
  async: (fail) => [async () => fail(), (result) => result],
  'a promise of a plain function': (fail) => [() => Promise.resolve().then(() => fail()), (result) => result],
  'a thenable': (fail) => [
    () => ({
      // biome-ignore lint/suspicious/noThenProperty: the thenable is under test
      then: (_: unknown, rejected: (error: unknown) => void) => {
        try {
          fail();
        } catch (error) {
          rejected(error);
        }
      },
    }),
    async (result) => await result,
  ],
  generator: (fail) => [
    function* () {
      yield 1;
      fail();
    },
    (result) => [...(result as Iterable<unknown>)],
  ],
  'async generator': (fail) => [
    async function* () {
      yield 1;
      fail();
    },
    (result) => collect(result as AsyncIterable<unknown>),
  ],
  'a promise of an async generator': (fail) => [
    async () =>
      (async function* () {
        yield 1;
        fail();
      })(),
    async (result) => collect((await result) as AsyncIterable<unknown>),
  ],
  'a web stream': (fail) => [
    () => new ReadableStream({ pull: () => fail() }),
    async (result) => collect(result as AsyncIterable<unknown>),
  ],
  'a Node stream': (fail) => [
    () =>
      Readable.from(
        (async function* () {
          yield 1;
          fail();
        })(),
      ),
    async (result) => collect(result as AsyncIterable<unknown>),
  ],
};

describe('heal', () => {
  it('throws the very object that the function threw, for every kind of function and every thrown value', async () => {
    const loop = loopFor();
    let count = 0;
    for (const [kind, make] of Object.entries(KINDS)) {
      for (const [what, thrown] of Object.entries(THROWN)) {
        if (kind === 'a Node stream' && !FOR_NODE_STREAMS.includes(what)) continue;
        const original = { value: thrown() };
        const [fn, read] = make(() => {
          throw original.value;
        });
        const healed = heal(fn, { loop, task: `${kind} ${what}` });
        const endOf = (call: (...args: never[]) => unknown) =>
          Promise.resolve()
            .then(() => Reflect.apply(call, undefined, [{ at: 1 }, new WeakMap()]))
            .then(read)
            .then(
              () => 'returned',
              (error: unknown) => (Object.is(error, original.value) ? 'same' : 'other'),
            );
        expect({ kind, what, end: await endOf(healed) }).toEqual({ kind, what, end: 'same' });
        await healed.healing.idle();
        expect(healed.healing.incidents(), `${kind} ${what}`).toHaveLength(1);
        count++;
      }
    }
    expect(count).toBe(150);
  });

  it('throws a sync error in the same turn, and before anything of the repair runs', () => {
    const loop = loopFor();
    const steps: string[] = [];
    const healed = heal(
      (): never => {
        throw new Error('x');
      },
      { loop, task: 'sync', onIncident: () => steps.push('incident') },
    );
    expect(() => healed()).toThrow('x');
    expect(steps).toEqual([]);
  });

  it('keeps the error of the function if a callback, the loop or the clock of the loop fails', async () => {
    const own = new Error('own');
    const broken = new Error('broken');
    const fail = () => {
      throw broken;
    };
    const loop = loopFor();
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(['onIncident', 'clock', 'run', 'events']),
        fc.boolean(),
        async (broken_, isAsync) => {
          const options: HealOptions = { loop, task: 't', ...(broken_.includes('onIncident') && { onIncident: fail }) };
          const clock = new ManualClock();
          const bad = new RSILoop({
            clock: broken_.includes('clock') ? Object.assign(clock, { now: fail, monotonic: fail }) : clock,
          });
          if (broken_.includes('run')) Object.defineProperty(bad, 'run', { value: fail });
          if (broken_.includes('events')) bad.on('problem', fail);
          const healed = heal(
            isAsync
              ? async () => {
                  throw own;
                }
              : () => {
                  throw own;
                },
            { ...options, loop: bad },
          );
          const thrown = await Promise.resolve()
            .then(() => healed())
            .catch((error: unknown) => error);
          expect(thrown).toBe(own);
          await healed.healing.idle();
        },
      ),
      { seed: 7, numRuns: 40 },
    );
  });

  it('captures arguments without secrets, the source frame, the environment, and what happened before', async () => {
    const loop = loopFor();
    const incidents: unknown[] = [];
    const charge = heal(
      (order: { readonly total?: { readonly value: number }; readonly apiKey: string }) =>
        order.total?.value.toFixed(2).at(9)?.big(),
      { loop, task: 'charge', onIncident: (incident) => incidents.push(incident) },
    );
    const failing = heal(
      (order: { readonly lines?: readonly number[]; readonly apiKey: string }) =>
        (order.lines as readonly number[]).length,
      { loop, task: 'charge', onIncident: (incident) => incidents.push(incident) },
    );
    charge({ total: { value: 1 }, apiKey: 'k' });
    expect(() => failing({ apiKey: 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789' })).toThrow(TypeError);
    await failing.healing.idle();
    expect(incidents).toMatchObject([
      {
        task: 'charge',
        error: { name: 'TypeError' },
        isTransient: false,
        arguments: { 0: { apiKey: '[redacted]' } },
        environment: { node: process.versions.node },
      },
    ]);
    const [{ source }] = failing.healing.incidents() as unknown as [{ source: { file: string; lines: string } }];
    expect(source.file).toMatch(/heal\.test\.ts$/);
    expect(source.lines).toContain('order.lines as readonly number[]');
  });

  it('repeats a transient failure only where that is allowed, and returns the result of the attempt that worked', async () => {
    const loop = loopFor({ policy: { 'retries.network': 2, 'backoff.baseMs': 10 } });
    const flaky = (times: number, message: string) => {
      let calls = 0;
      return async () => {
        if (++calls <= times) throw Object.assign(new Error(message), { code: 'ECONNRESET', calls });
        return calls;
      };
    };
    const reset = 'read ECONNRESET';
    expect(await heal(flaky(2, reset), { loop, task: 'a', repeatable: true })()).toBe(3);
    await expect(heal(flaky(1, reset), { loop, task: 'b', repeatable: false })()).rejects.toMatchObject({ calls: 1 });
    // The error of the first attempt is the original one.
    await expect(heal(flaky(5, reset), { loop, task: 'c', repeatable: true })()).rejects.toMatchObject({ calls: 1 });
    await loop.flush();
    const outcomes = (await collect(exportOutcomes(loop))).map(({ task, success, attempts }) => [
      task,
      success,
      attempts?.length,
    ]);
    expect(outcomes).toEqual([
      ['a', true, 3],
      ['b', false, 1],
      ['c', false, 3],
    ]);
  });

  it('keeps the type, the name, the properties, `this` and the result object of a function', async () => {
    const loop = loopFor();
    const plain = (item: { readonly cost: number }, factor = 2) => item.cost * factor;
    const price = Object.assign(plain, { version: 3 });
    const healed = heal(price, { loop });
    expectTypeOf(healed).toMatchTypeOf<typeof price>();
    expect([healed({ cost: 4 }), healed.name, healed.length, healed.version]).toEqual([8, 'plain', 1, 3]);
    const result = { id: 1 };
    expect(heal(() => result, { loop, task: 'same' })()).toBe(result);
    const counter = {
      count: 2,
      next: heal(
        function next(this: { count: number }) {
          return ++this.count;
        },
        { loop },
      ),
    };
    expect(counter.next()).toBe(3);
    // biome-ignore lint/suspicious/noThenProperty: the thenable is under test
    const lazy = { then: (fulfilled: (value: number) => void) => fulfilled(5) };
    expect(heal(() => lazy, { loop, task: 'lazy' })()).toBe(lazy);
    expect(await heal(() => lazy, { loop, task: 'lazy' })()).toBe(5);
    const generator = heal(
      function* count() {
        const sent: number = yield 1;
        return sent;
      },
      { loop },
    )();
    expect([generator.next(), generator.next(4)]).toEqual([
      { value: 1, done: false },
      { value: 4, done: true },
    ]);
  });

  it('records one outcome for each call, also for streams that are read to their end', async () => {
    const loop = loopFor();
    heal(() => 1, { loop, task: 'sync' })();
    await heal(async () => undefined, { loop, task: 'async' })();
    expect([
      ...heal(
        function* list() {
          yield 1;
        },
        { loop },
      )(),
    ]).toEqual([1]);
    await collect(
      heal(
        async function* stream() {
          yield 1;
        },
        { loop },
      )(),
    );
    await loop.flush();
    const outcomes = (await collect(exportOutcomes(loop))).map(({ task, success }) => `${task} ${success}`);
    expect(outcomes.sort()).toEqual(['async true', 'list true', 'stream true', 'sync true']);
  });

  it.each([
    [{}, 'heal got no loop: give { loop: new RSILoop() }'],
    [{ loop: new RSILoop(), task: '' }, 'the function has no name: give task'],
    [{ loop: new RSILoop(), task: 't', patch: { name: 'f' } }, 'patch has no model'],
  ])('says what is wrong with the options %#', (options, message) => {
    expect(() => heal(() => 1, options as HealOptions)).toThrow(message);
    expect(() => heal(7 as never, options as HealOptions)).toThrow('heal got 7: give a function');
  });
});
