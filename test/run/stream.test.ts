import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { fixture, settled } from './fixture.js';

async function* chunks(...items: (string | Error)[]): AsyncGenerator<string> {
  for (const item of items) {
    if (item instanceof Error) throw item;
    yield item;
  }
}

async function readAll<Chunk>(stream: AsyncIterable<Chunk>): Promise<Chunk[]> {
  const read: Chunk[] = [];
  for await (const chunk of stream) read.push(chunk);
  return read;
}

const broken = () => Object.assign(new Error('502 Bad Gateway'), { status: 502 });

describe('streams', () => {
  it('hands over the very object of the host and writes the outcome when it ends', async () => {
    const { runner, outcomes } = fixture();
    const generator = chunks('a', 'b');
    const stream = await runner.run('ask', () => generator);
    expect(stream).toBe(generator);
    expect(outcomes).toEqual([]);
    expect(await readAll(stream)).toEqual(['a', 'b']);
    expect(outcomes).toMatchObject([{ success: true }]);
  });

  it('counts an error in the middle as a failure of that task, and throws the very error', async () => {
    const { runner, outcomes } = fixture({ 'retries.server_error': 3 });
    const error = broken();
    let calls = 0;
    const stream = await runner.run('ask', () => {
      calls++;
      return chunks('a', error);
    });
    expect((await settled(readAll(stream))).error).toBe(error);
    expect(outcomes).toMatchObject([{ success: false, issues: ['server_error'] }]);
    expect(calls).toBe(1);
  });

  it('takes a reader that stops early for a good end', async () => {
    const { runner, outcomes } = fixture();
    for await (const chunk of await runner.run('ask', () => chunks('a', 'b'))) if (chunk === 'a') break;
    expect(outcomes).toMatchObject([{ success: true }]);
  });

  it('watches iterables whose iterator is made on demand, once per task, and leaves nothing on them', async () => {
    const { runner, outcomes } = fixture();
    const iterable = { [Symbol.asyncIterator]: () => chunks('a') };
    for (let task = 0; task < 3; task++) expect(await readAll(await runner.run('ask', () => iterable))).toEqual(['a']);
    expect(outcomes).toHaveLength(3);
    await readAll(iterable);
    expect(outcomes).toHaveLength(3);
    const own = class {
      async *[Symbol.asyncIterator]() {
        yield 'b';
      }
    };
    const instance = new own();
    await readAll(await runner.run('ask', () => instance));
    expect(Reflect.ownKeys(instance)).toEqual([]);
  });

  it('hands over an object that cannot be watched as it is, and ends its task at once', async () => {
    const { runner, outcomes } = fixture();
    const frozen = Object.freeze({ [Symbol.asyncIterator]: () => chunks('a') });
    expect(await runner.run('ask', () => frozen)).toBe(frozen);
    expect(outcomes).toMatchObject([{ success: true }]);
  });

  it('passes the chunks of a web stream on untouched, on demand, with its error and its cancellation', async () => {
    const { runner, outcomes } = fixture();
    const chunk = { deep: [1] };
    let pulled = 0;
    let cancelled: unknown;
    const make = (items: unknown[]) =>
      new ReadableStream<unknown>(
        {
          pull(controller) {
            pulled++;
            const item = items.shift();
            if (item instanceof Error) controller.error(item);
            else if (item === undefined) controller.close();
            else controller.enqueue(item);
          },
          cancel(reason) {
            cancelled = reason;
          },
        },
        { highWaterMark: 0 },
      );
    const stream = await runner.run('ask', () => make([chunk]));
    expect(pulled).toBe(0);
    const reader = stream.getReader();
    expect((await reader.read()).value).toBe(chunk);
    expect((await reader.read()).done).toBe(true);
    const error = broken();
    const bad = await runner.run('ask', () => make([error]));
    expect((await settled(bad.getReader().read())).error).toBe(error);
    await (await runner.run('ask', () => make([chunk]))).cancel('enough');
    expect(cancelled).toBe('enough');
    expect(outcomes.map(({ success }) => success)).toEqual([true, false, true]);
  });

  /** A byte stream of two chunks, or one that breaks after the first. */
  const bytes = (end: 'whole' | 'broken', cancelled: unknown[] = []) => {
    let asked = 0;
    return new ReadableStream({
      type: 'bytes',
      pull(controller) {
        asked++;
        if (asked < 3 && (asked === 1 || end === 'whole')) controller.enqueue(new Uint8Array([asked, asked]));
        else if (end === 'broken') controller.error(broken());
        else {
          controller.close();
          controller.byobRequest?.respond(0);
        }
      },
      cancel: (reason) => void cancelled.push(reason),
    });
  };

  it('passes bytes on to readers with and without a buffer of their own, to the end', async () => {
    const { runner, outcomes } = fixture();
    const plain = await runner.run('ask', () => bytes('whole'));
    const read: unknown[] = [];
    for await (const chunk of plain as unknown as AsyncIterable<Uint8Array>) read.push([...chunk]);
    expect(read).toEqual([
      [1, 1],
      [2, 2],
    ]);
    const reader = (await runner.run('ask', () => bytes('whole'))).getReader({ mode: 'byob' });
    const { value } = await reader.read(new Uint8Array(8));
    expect([...(value ?? [])]).toEqual([1, 1]);
    expect(outcomes).toHaveLength(1);
    await reader.read(new Uint8Array(8));
    expect(await reader.read(new Uint8Array(8))).toMatchObject({ done: true });
    expect(outcomes).toMatchObject([{ success: true }, { success: true }]);
  });

  it('passes the error, the cancellation and the stop of a stream of bytes on', async () => {
    const { runner, outcomes, clock } = fixture({ 'timeout.attemptMs': 1_000 });
    const reader = (await runner.run('ask', () => bytes('broken'))).getReader();
    await reader.read();
    expect((await settled(reader.read())).error).toMatchObject({ message: '502 Bad Gateway' });
    const cancelled: unknown[] = [];
    await (await runner.run('ask', () => bytes('whole', cancelled))).cancel('enough');
    expect(cancelled).toEqual(['enough']);
    const stalled = new ReadableStream({
      type: 'bytes',
      pull: () => new Promise<void>(() => {}),
      cancel: (reason) => void cancelled.push(reason),
    });
    const waiting = settled((await runner.run('ask', () => stalled)).getReader().read());
    await clock.advance(1_000);
    expect((await waiting).error).toMatchObject({ code: 'timed-out' });
    expect(cancelled[1]).toMatchObject({ code: 'timed-out' });
    expect(outcomes).toMatchObject([
      { success: false, issues: ['server_error'] },
      { success: true },
      { success: false, issues: ['timeout'] },
    ]);
  });

  it('watches a stream of Node to its close', async () => {
    const { runner, outcomes } = fixture();
    const good = Readable.from(['a', 'b']);
    expect(await runner.run('ask', () => good)).toBe(good);
    expect(await readAll(good)).toEqual(['a', 'b']);
    const bad = await runner.run('ask', () => Readable.from(chunks('a', broken())));
    await settled(readAll(bad));
    await new Promise((resolve) => (bad.closed ? resolve(undefined) : bad.once('close', resolve)));
    expect(outcomes.map(({ success }) => success)).toEqual([true, false]);
  });

  it('stops a stream that stalls at the time-out of its attempt', async () => {
    const { runner, outcomes, clock } = fixture({ 'timeout.attemptMs': 100 });
    let signal: AbortSignal | undefined;
    const stream = await runner.run('ask', (context) => {
      signal = context.signal;
      return (async function* () {
        yield 'a';
        await new Promise(() => {});
      })();
    });
    const reading = settled(readAll(stream));
    await clock.advance(100);
    expect((await reading).error).toMatchObject({ code: 'timed-out' });
    expect(signal?.aborted).toBe(true);
    expect(outcomes).toMatchObject([{ success: false, issues: ['timeout'], durationMs: 100 }]);
    expect(clock.pending).toBe(0);
  });

  it("goes on listening to the host's signal while the stream runs", async () => {
    const { runner, outcomes, clock } = fixture();
    const controller = new AbortController();
    const stall = (async function* () {
      yield 'a';
      await new Promise(() => {});
    })();
    const stream = await runner.run('ask', () => stall, { signal: controller.signal });
    const reading = settled(readAll(stream));
    await clock.advance(0);
    const reason = new Error('closed by the user');
    controller.abort(reason);
    expect((await reading).error).toBe(reason);
    expect(outcomes).toMatchObject([{ success: false, issues: ['cancelled'] }]);
  });

  it('keeps its place in the limits until it ends, and gives it back if it is never read', async () => {
    const { runner, clock } = fixture({ 'limit.concurrency': 1 });
    const stream = await runner.run('ask', () => chunks('a'));
    let second = false;
    const next = runner.run('ask', () => {
      second = true;
      return chunks('b');
    });
    await clock.advance(1_000);
    expect(second).toBe(false);
    await readAll(stream);
    await clock.advance(0);
    expect(second).toBe(true);
    await next;
    const third = runner.run('ask', () => 'third');
    await clock.advance(600_000);
    expect(await third).toBe('third');
    expect(clock.pending).toBe(0);
  });
});
