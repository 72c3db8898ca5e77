import { LoopError } from 'rsi-loop';
import { ManualClock, ScriptedModel } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import type { Model, ModelAnswer, ModelRequest } from '../../src/contract/model.js';
import type { ModelCall } from '../../src/contract/model-call.js';
import { ModelClient } from '../../src/judge/model-client.js';
import type { OutcomeFields } from '../../src/observe/outcome-observer.js';

const REQUEST: ModelRequest = {
  messages: [{ role: 'user', content: 'why?' }],
  schema: {
    ...{ type: 'object', properties: { cause: { type: 'string' } }, required: [], additionalProperties: false },
  },
};
const ANSWER: ModelAnswer = {
  ...{ text: '{"cause":"x"}', json: { cause: 'x' }, model: 'sonnet', by: 'tester', ended: 'stop', durationMs: 1 },
};

/** A client of a model that answers as the test says. */
function clientOf(complete: (call: ModelCall) => Promise<ModelAnswer>, timeoutMs = 1_000) {
  const clock = new ManualClock();
  const recorded: [string, OutcomeFields][] = [];
  const reports: string[] = [];
  const model = { name: 'tester', complete: (_: ModelRequest, call: ModelCall = {}) => complete(call) } as Model;
  let hidden = 0;
  const client = new ModelClient({
    ...{ model, clock, timeoutMs },
    record: (task, fields) => recorded.push([task, fields]),
    report: (message) => reports.push(message),
    unseen: (work) => {
      hidden++;
      return work();
    },
  });
  return { client, clock, recorded, reports, hidden: () => hidden, ask: () => client.ask('cause', REQUEST) };
}

describe('an answer of the loop’s own model', () => {
  it('is recorded as work of the loop itself, with its model, duration and tokens', async () => {
    const world = clientOf(async () => {
      await world.clock.advance(250);
      return { ...ANSWER, tokens: { input: 3, output: 4 } };
    });
    expect(await world.ask()).toEqual({ kind: 'answered', json: { cause: 'x' }, by: 'sonnet' });
    const own = { source: 'rsi-loop', parent: 'rsi-loop' };
    expect(world.recorded).toEqual([
      ['cause', { ...own, success: true, model: 'sonnet', durationMs: 250, tokens: { input: 3, output: 4 } }],
    ]);
    expect([world.hidden(), world.reports]).toEqual([1, []]);
    expect(world.clock.pending).toBe(0);
  });

  it('has the name of the configured model if it names none', async () => {
    const { ask, recorded } = clientOf(async () => ({ ...ANSWER, model: '' }));
    expect(await ask()).toEqual({ kind: 'answered', json: { cause: 'x' }, by: 'tester' });
    expect(recorded[0]?.[1]).not.toHaveProperty('tokens');
  });

  it('that is not what was asked for may be followed by another question', async () => {
    let calls = 0;
    const { ask, recorded, reports } = clientOf(async () => {
      calls++;
      throw new LoopError('model-answer', 'no JSON');
    });
    expect(await ask()).toEqual({ kind: 'unusable', reason: 'no JSON' });
    expect(recorded[0]?.[1]).toMatchObject({
      success: false,
      error: 'no JSON',
      issues: ['parse_error'],
      durationMs: 0,
    });
    await ask();
    expect([calls, reports]).toEqual([2, []]);
  });
});

describe('a model that is away', () => {
  it('is reported once, left alone for ten minutes, and then asked again', async () => {
    let calls = 0;
    const { ask, clock, recorded, reports } = clientOf(async () => {
      calls++;
      throw new Error('connection refused');
    });
    const away = { kind: 'away', reason: 'connection refused' };
    expect(await ask()).toEqual(away);
    await clock.advance(599_999);
    expect(await ask()).toEqual(away);
    expect([calls, recorded.length]).toEqual([1, 1]);
    expect(recorded[0]?.[1]).toMatchObject({ success: false, issues: [] });
    expect(reports).toEqual([
      'cause: connection refused; the loop continues without a model and tries again in 10 minutes',
    ]);
    await clock.advance(1);
    await ask();
    expect(calls).toBe(2);
  });

  it('is given up shortly after its time, if it keeps to none', async () => {
    const { ask, clock, recorded } = clientOf(() => new Promise(() => {}));
    const asked = ask();
    await clock.advance(1_049);
    expect(recorded).toEqual([]);
    await clock.advance(1);
    expect(await asked).toEqual({ kind: 'away', reason: 'tester gave no answer within 1000 ms' });
    expect(recorded[0]?.[1]).toMatchObject({ issues: ['timeout'], durationMs: 1_050 });
  });

  it('may say itself that it is late, which is more specific', async () => {
    const { ask, clock } = clientOf(
      ({ timeoutMs = 0 }) =>
        new Promise((_, reject) => clock.after(timeoutMs, () => reject(new Error('the server queue is full')))),
    );
    const asked = ask();
    await clock.advance(2_000);
    expect(await asked).toMatchObject({ reason: 'the server queue is full' });
    expect(clock.pending).toBe(0);
  });
});

describe('a loop that closes', () => {
  it('aborts a running call, which does not count as a failure of the model', async () => {
    let signal: AbortSignal | undefined;
    const { ask, client, clock, recorded, reports } = clientOf((call) => {
      signal = call.signal;
      return new Promise(() => {});
    });
    const asked = ask();
    client.close();
    expect(await asked).toEqual({ kind: 'away', reason: 'the loop is closing' });
    expect([signal?.aborted, recorded, reports, clock.pending]).toEqual([true, [], [], 0]);
  });

  it('asks nothing more', async () => {
    const model = new ScriptedModel([]);
    const { ask, client } = clientOf((call) => model.complete(REQUEST, call));
    client.close();
    expect(await ask()).toEqual({ kind: 'away', reason: 'the loop is closing' });
    expect(model.requests).toEqual([]);
  });
});
