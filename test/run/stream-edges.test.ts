import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { isStream, type StreamEnd, tagOf, watchStream } from '../../src/run/stream.js';
import { settled } from './fixture.js';

const GONE = new Error('closed by the user');

/** A watched stream: the ends that were reported, and a signal that stops it. */
function watched<Value>(value: Value) {
  const ends: StreamEnd[] = [];
  const controller = new AbortController();
  const stream = watchStream(value, { signal: controller.signal, onEnd: (end) => void ends.push(end) });
  return { stream, ends, stop: () => controller.abort(GONE) };
}

async function* chunks(...items: readonly string[]) {
  yield* items;
}

const closed = (stream: Readable) => new Promise((resolve) => stream.once('close', resolve));
const hostile = () =>
  new Proxy(
    {},
    {
      get: () => {
        throw new Error('no');
      },
      has: () => {
        throw new Error('no');
      },
    },
  );

describe('a value that a task returns', () => {
  it.for<[string, unknown, boolean]>([
    ['an async iterable', chunks('a'), true],
    ['a web stream', new ReadableStream(), true],
    ['a stream of Node', new PassThrough(), true],
    ['a text', 'abc', false],
    ['nothing', null, false],
    ['no value', undefined, false],
    ['a list', ['a'], false],
    ['a function', () => {}, false],
    ['an object that throws when it is read', hostile(), false],
  ])('is a stream or not: %s', ([, value, expected]) => {
    expect(isStream(value)).toBe(expected);
  });

  it('is no stream for the loop while another reader holds it', () => {
    const stream = new ReadableStream();
    stream.getReader();
    expect(isStream(stream)).toBe(false);
  });

  it('has a tag only if it is an object with a text as its tag', () => {
    const tags = ['abc', null, undefined, { [Symbol.toStringTag]: 7 }, hostile(), new ReadableStream()].map(tagOf);
    expect(tags).toEqual([undefined, undefined, undefined, undefined, undefined, 'ReadableStream']);
  });
});

describe('the end of a stream of Node', () => {
  it('is its error, and the good end of a stream that was read', async () => {
    const good = watched(Readable.from(['a']));
    for await (const _ of good.stream) expect(good.ends).toEqual([]);
    expect(good.ends).toEqual([undefined]);
    const bad = watched(new PassThrough());
    bad.stream.on('error', () => {}).destroy(GONE);
    await closed(bad.stream);
    expect(bad.ends).toEqual([{ error: GONE }]);
  });

  it('comes with the close of the stream, not with the last chunk that a reader takes', async () => {
    const { stream, ends } = watched(new PassThrough());
    stream.end('a');
    for await (const _ of stream.iterator({ destroyOnReturn: false })) break;
    expect(ends).toEqual([]);
    stream.destroy();
    await closed(stream);
    expect(ends).toEqual([undefined]);
  });

  it('is the reason of the signal, which destroys the stream', async () => {
    const { stream, ends, stop } = watched(new PassThrough());
    const errors: unknown[] = [];
    stream.on('error', (error) => errors.push(error));
    stop();
    await closed(stream);
    expect([stream.destroyed, errors, ends]).toEqual([true, [GONE], [{ error: GONE }]]);
  });

  it('leaves a stream alone that closed before the signal', async () => {
    const { stream, ends, stop } = watched(Readable.from(['a']));
    await stream.toArray();
    stop();
    expect([stream.errored, ends]).toEqual([null, [undefined]]);
  });

  it('is watched through the iterator of an object that only looks similar', async () => {
    const alike = [
      { readableEnded: false },
      { readableEnded: false, once: 1, destroy() {} },
      { readableEnded: false, once() {} },
      { once() {}, destroy() {} },
    ];
    for (const members of alike) {
      const { stream, ends } = watched({ ...members, [Symbol.asyncIterator]: () => chunks('a') });
      for await (const chunk of stream) expect(chunk).toBe('a');
      expect(ends).toEqual([undefined]);
    }
  });
});

describe('the end of an async iterable', () => {
  it('is reported once, also if it is read and cancelled again', async () => {
    const { stream, ends, stop } = watched(chunks('a'));
    expect(await stream.next()).toEqual({ done: false, value: 'a' });
    expect(await stream.return()).toEqual({ done: true, value: undefined });
    await stream.next();
    stop();
    expect(ends).toEqual([undefined]);
  });

  it('is the reason of the signal, for the chunk that is read and for each later one', async () => {
    const stalled = { next: () => new Promise<never>(() => {}), [Symbol.asyncIterator]: () => stalled };
    const { stream, ends, stop } = watched(stalled);
    const reading = settled(stream.next());
    stop();
    expect(await reading).toEqual({ error: GONE });
    expect(ends).toEqual([{ error: GONE }]);
    expect(await settled(stream.next())).toEqual({ error: GONE });
  });

  it('passes what a reader sends to the host, and has no methods that the host did not give it', async () => {
    const sent: unknown[] = [];
    const echo = {
      next: async (value?: unknown) => {
        sent.push(value);
        return { done: sent.length > 1, value };
      },
      [Symbol.asyncIterator]: () => echo,
    };
    const { stream, ends } = watched(echo);
    expect(Object.keys(stream)).toEqual([]);
    await stream.next('one');
    expect(ends).toEqual([]);
    await stream.next('two');
    expect([sent, ends]).toEqual([['one', 'two'], [undefined]]);
    expect(stream).not.toHaveProperty('return');
  });

  it('comes immediately for an iterator that cannot be changed', () => {
    const frozen = Object.freeze({ next: async () => ({ done: true }), [Symbol.asyncIterator]: () => frozen });
    expect(watched(frozen).ends).toEqual([undefined]);
  });

  it('is watched for an object with a field that is called next, as in a linked list', async () => {
    const { stream, ends } = watched({ next: undefined, [Symbol.asyncIterator]: () => chunks('a') });
    expect(ends).toEqual([]);
    for await (const chunk of stream) expect(chunk).toBe('a');
    expect(ends).toEqual([undefined]);
  });

  it("is watched again and again, and the host's own method comes back", () => {
    const iterate = () => chunks('a');
    const host = { [Symbol.asyncIterator]: iterate };
    for (let task = 0; task < 3; task++) {
      const { stream } = watched(host);
      expect(stream[Symbol.asyncIterator]).not.toBe(iterate);
      stream[Symbol.asyncIterator]();
      expect(host[Symbol.asyncIterator]).toBe(iterate);
    }
  });
});

describe.each(['bytes', undefined] as const)('the end of a web stream (type %s)', (type) => {
  function source() {
    const cancelled: unknown[] = [];
    const stalled = new ReadableStream({
      type: type as undefined,
      pull: () => new Promise<void>(() => {}),
      cancel: (reason) => void cancelled.push(reason),
    });
    return { stalled, cancelled };
  }

  it('is the reason of the signal, which also cancels the source', async () => {
    const { stalled, cancelled } = source();
    const { stream, ends, stop } = watched(stalled);
    const reading = settled(stream.getReader().read());
    await Promise.resolve();
    stop();
    expect(await reading).toEqual({ error: GONE });
    expect([ends, cancelled]).toEqual([[{ error: GONE }], [GONE]]);
  });

  it('is the error of the source, without a signal too, and cancels nothing', async () => {
    const ends: StreamEnd[] = [];
    const cancelled: unknown[] = [];
    const broken = new ReadableStream({
      type: type as undefined,
      pull: (controller) => controller.error(GONE),
      cancel: (reason) => void cancelled.push(reason),
    });
    const stream = watchStream(broken, { signal: undefined, onEnd: (end) => void ends.push(end) });
    expect(await settled(stream.getReader().read())).toEqual({ error: GONE });
    expect([ends, cancelled]).toEqual([[{ error: GONE }], []]);
  });
});
