import { exportOutcomes, type Outcome, RSILoop } from 'rsi-loop';
import { Recorder, type RecorderOptions, startCall } from 'rsi-loop/record';
import { serve } from 'rsi-loop/sources/http';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';

const TOKEN = 'a-token-of-the-test';

/** A real server on the loopback, with the outcomes that its loop has. */
async function open(options: { readonly token?: string } = {}) {
  const loop = new RSILoop();
  const server = await serve({ loop, port: 0, ...options });
  return {
    loop,
    url: server.url,
    outcomes: async () => {
      const found: Outcome[] = [];
      for await (const outcome of exportOutcomes(loop)) found.push(outcome);
      return found;
    },
    close: async () => {
      await server.close();
      await loop.close();
    },
  };
}

/** A recorder on a clock that tests advance, with what it reports and what it asks the server. */
function scripted(
  answers: (attempt: number, init: RequestInit) => Promise<Response>,
  options?: Partial<RecorderOptions>,
) {
  const problems: string[] = [];
  const bodies: string[] = [];
  const clock = new ManualClock();
  const recorder = new Recorder({
    url: 'http://loop.test',
    clock,
    random: () => 0.99,
    onProblem: (message) => problems.push(message),
    fetch: async (_, init = {}) => {
      bodies.push(String(init.body));
      return answers(bodies.length, init);
    },
    ...options,
  });
  return { recorder, clock, problems, bodies };
}

const taken = (accepted: number) => Response.json({ accepted, duplicates: 0, refused: 0, errors: [] }, { status: 201 });
const success = { success: true } as const;

describe('a recorder', () => {
  it('has its outcomes in a loop elsewhere, classified there and redacted here', async () => {
    const server = await open({ token: TOKEN });
    const sent: string[] = [];
    const recorder = new Recorder({
      url: server.url,
      token: TOKEN,
      source: 'page',
      fetch: (url, init) => {
        sent.push(String(init?.body));
        return fetch(url, init);
      },
    });
    const ids = [
      recorder.observer.recordSimple('ask', { success: true, durationMs: 12, tokens: { input: 3, output: 4 } }),
      recorder.observer.recordSimple('ask', {
        success: false,
        error: '429 Too Many Requests: key sk-ant-api03-abcdefghijklmnopqrst',
      }),
      recorder.observer.record({
        task_type: 'ask',
        error: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
      }),
    ];
    const call = startCall(recorder, { task: 'search', tool: 'search' });
    call?.run(() => startCall(recorder, { task: 'inner' })?.end(success));
    call?.end({ success: false, error: new Error('timed out') });
    expect(await recorder.flush()).toBe(0);
    const found = await server.outcomes();
    expect(found.slice(0, 3).map(({ id }) => id)).toEqual(ids);
    expect(found.map(({ task, issues }) => [task, issues])).toEqual([
      ['ask', []],
      ['ask', ['rate_limit']],
      ['ask', ['network']],
      ['inner', []],
      ['search', ['timeout']],
    ]);
    expect(found[0]).toMatchObject({ source: 'page', durationMs: 12, tokens: { input: 3, output: 4 } });
    expect(found[3]?.parent).toBe(call?.id);
    expect(found[1]?.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(sent.join('')).not.toContain('abcdefghijklmnopqrst');
    expect([recorder.waiting, recorder.dropped]).toEqual([0, 0]);
    await recorder.close();
    await server.close();
  });

  it('gathers outcomes for a second, and sends each once although an answer was lost', async () => {
    const { recorder, clock, bodies, problems } = scripted(async (attempt) => {
      if (attempt === 1) throw new TypeError('fetch failed');
      return taken(2);
    });
    recorder.observer.recordSimple('one', success);
    recorder.observer.recordSimple('two', success);
    expect(bodies).toEqual([]);
    await clock.advance(1_000);
    expect(problems).toEqual(['loop.test: fetch failed: 2 outcomes wait for the next attempt']);
    expect(recorder.waiting).toBe(2);
    await clock.advance(1_000);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toBe(bodies[0]);
    expect(recorder.waiting).toBe(0);
    await recorder.close();
    expect(clock.pending).toBe(0);
  });

  it('waits longer after each failed attempt, and as long as the server asks', async () => {
    const { recorder, clock, bodies } = scripted(async (attempt) =>
      attempt === 1
        ? new Response('{}', { status: 503, headers: { 'retry-after': '30' } })
        : new Response('{}', { status: 500 }),
    );
    recorder.observer.recordSimple('one', success);
    await clock.advance(1_000);
    await clock.advance(29_000);
    expect(bodies).toHaveLength(1);
    await clock.advance(1_000);
    expect(bodies).toHaveLength(2);
    await clock.advance(3_600_000);
    // A minute apart at most, and 10 % of that at least.
    expect(bodies.length).toBeGreaterThan(60);
    expect(bodies.length).toBeLessThan(650);
    expect(recorder.waiting).toBe(1);
  });

  it('sends full batches immediately, one request at a time and in order', async () => {
    let open = 0;
    const { recorder, bodies } = scripted(async (_, init) => {
      expect(++open).toBe(1);
      await Promise.resolve();
      open--;
      return taken(String(init.body).trim().split('\n').length);
    });
    for (let count = 0; count < 1_200; count++) recorder.observer.recordSimple(`t-${count}`, success);
    expect(bodies).toHaveLength(1);
    expect(await recorder.flush()).toBe(0);
    expect(bodies.map((body) => body.trim().split('\n').length)).toEqual([500, 500, 200]);
    const tasks = bodies.flatMap((body) => body.trim().split('\n')).map((line) => JSON.parse(line).task);
    expect(tasks).toEqual(Array.from({ length: 1_200 }, (_, count) => `t-${count}`));
  });

  it('waits briefly again after the server came back', async () => {
    const { recorder, clock, bodies } = scripted(async (attempt) => {
      if (attempt === 10) return taken(1);
      throw new TypeError('fetch failed');
    });
    recorder.observer.recordSimple('one', success);
    while (bodies.length < 10) await clock.advance(1_000);
    recorder.observer.recordSimple('two', success);
    await clock.advance(1_000);
    expect(bodies).toHaveLength(11);
    await clock.advance(1_000);
    expect(bodies).toHaveLength(12);
  });

  it('bounds the memory of waiting outcomes, which may be large', async () => {
    const { recorder } = scripted(async () => Promise.reject(new Error('down')));
    const context = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`k${index}`, 'ab '.repeat(600)]));
    for (let count = 0; count < 1_000; count++) recorder.observer.recordSimple('large', { success: true, context });
    expect(recorder.waiting).toBeLessThan(600);
    expect(recorder.waiting + recorder.dropped).toBe(1_000);
  });

  it('holds no more than its bound, and counts and reports what it drops', async () => {
    const { recorder, problems } = scripted(async () => new Response('{}', { status: 503 }), { maxQueued: 5 });
    for (let count = 0; count < 15; count++) recorder.observer.recordSimple('one', success);
    expect([recorder.waiting, recorder.dropped]).toEqual([5, 10]);
    const what = 'loop.test: outcomes were dropped: too many wait for the server';
    expect(problems).toEqual([what, `${what} (10 times)`]);
    await recorder.close();
    expect([recorder.waiting, recorder.dropped]).toEqual([0, 15]);
    recorder.observer.recordSimple('late', success);
    expect(recorder.dropped).toBe(16);
  });

  it.each([
    [
      'a wrong token',
      () => Response.json({ detail: 'the token is wrong' }, { status: 401 }),
      /it answered 401: the token is wrong/,
    ],
    [
      'a page instead of the server',
      () => new Response('<html>', { status: 200 }),
      /not as rsi serve does: is the address right/,
    ],
    [
      'outcomes that the server refuses',
      () =>
        Response.json({ accepted: 1, refused: 1, errors: [{ field: 'id', expected: 'another id' }] }, { status: 201 }),
      /the server refused them: id: give another id/,
    ],
  ])('reports and counts what is lost by %s', async (_, answer, says) => {
    const { recorder, problems } = scripted(async () => answer());
    recorder.observer.recordSimple('one', success);
    expect(await recorder.flush()).toBe(0);
    expect(recorder.dropped).toBe(1);
    expect(problems.join()).toMatch(says);
  });

  it('never throws into the host, whatever it is given and however the handler fails', async () => {
    const { recorder } = scripted(async () => Promise.reject(new Error('down')), {
      onProblem: () => {
        throw new Error('handler');
      },
    });
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('trap');
        },
        ownKeys: () => {
          throw new Error('trap');
        },
      },
    );
    for (const value of [undefined, null, 7, hostile, { task: 't' }]) {
      expect(() => recorder.observer.record(value)).not.toThrow();
      expect(() => recorder.observer.recordSimple('t', value as never)).not.toThrow();
    }
    await expect(recorder.flush()).resolves.toBeTypeOf('number');
    await expect(recorder.close()).resolves.toBeUndefined();
  });

  it('says which option is wrong', () => {
    const options = (change: object) => () => new Recorder({ url: 'http://loop.test', ...change });
    expect(options({ url: 'file:///tmp/x' })).toThrow(/url of the recorder is not an address/);
    expect(options({ url: 'http://ada:secret@loop.test' })).toThrow(/holds a user or password/);
    expect(options({ token: 'two\nlines' })).toThrow(/token of the recorder cannot be sent/);
    expect(options({ sample: 2 })).toThrow(/sample of the recorder is 2: give a number from 0.001 to 1/);
    expect(options({ maxQueued: 0 })).toThrow(/maxQueued of the recorder is 0/);
    expect(options({ flushMs: Number.NaN })).toThrow(/flushMs of the recorder is NaN/);
  });
});
