import { LoopError, type Model } from 'rsi-loop';
import { ModelPool, VllmModel } from 'rsi-loop/models';
import { ManualClock, type ModelStep, ScriptedModel } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { vllmServer } from './servers.js';

const QUESTION = { messages: [{ role: 'user', content: 'Why?' }] } as const;

/** A host that takes its time, by the clock of the test. */
function host(
  name: string,
  clock: ManualClock,
  { takesMs = 10, step }: { takesMs?: number; step?: () => ModelStep } = {},
) {
  const scripted = new ScriptedModel(() => step?.() ?? { kind: 'text', text: name }, { name });
  let most = 0;
  let now = 0;
  const model: Model = {
    name,
    complete: async (request, call) => {
      most = Math.max(most, ++now);
      if (!scripted.down) await new Promise<void>((resolve) => void clock.after(takesMs, resolve));
      now--;
      return scripted.complete(request, call);
    },
    embed: (texts) => scripted.embed(texts),
    health: () => scripted.health(),
  };
  return { model, scripted, most: () => most };
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Asks `calls` times, `atOnce` in parallel, and lets the time pass that they take. */
async function ask(pool: ModelPool, clock: ManualClock, calls: number, atOnce: number) {
  const answers: string[] = [];
  const errors: unknown[] = [];
  let left = calls;
  let running = 0;
  const startedMs = clock.monotonic();
  const caller = async () => {
    while (left-- > 0) {
      await pool.complete(QUESTION).then(
        ({ by }) => answers.push(by),
        (error: unknown) => errors.push(error),
      );
    }
    running--;
  };
  running = atOnce;
  for (let index = 0; index < atOnce; index++) void caller();
  while (running > 0) await clock.advance(1);
  return { answers, errors, tookMs: clock.monotonic() - startedMs };
}

describe('ModelPool', () => {
  it('reaches 90 % of the ideal split with four hosts of which one dies and one is five times slower', async () => {
    const clock = new ManualClock();
    const [first, second, slow, dying] = [
      host('first', clock),
      host('second', clock),
      host('slow', clock, { takesMs: 50 }),
      host('dying', clock),
    ];
    const pool = new ModelPool([first.model, second.model, slow.model, dying.model], { perHost: 4, clock });
    const before = await ask(pool, clock, 400, 40);
    dying.scripted.down = true;
    const after = await ask(pool, clock, 2_000, 40);
    // Places over time: 4 each, every 10 ms, the slow one every 50 ms.
    const idealMs = { before: 400 / (4 / 10 + 4 / 10 + 4 / 50 + 4 / 10), after: 2_000 / (4 / 10 + 4 / 10 + 4 / 50) };
    const share = idealMs.after / after.tookMs;
    console.log(
      `pool: ${(100 * share).toFixed(1)} % of the ideal split, ${after.errors.length} failed calls`,
      countsOf(after.answers),
    );
    expect(share).toBeGreaterThan(0.9);
    expect(idealMs.before / before.tookMs).toBeGreaterThan(0.9);
    expect([...before.errors, ...after.errors]).toEqual([]);
    expect(countsOf(after.answers).dying).toBeUndefined();
  });

  it('gives few calls to the hosts that answer first, and none more than it may have', async () => {
    const clock = new ManualClock();
    const [fast, slow] = [host('fast', clock), host('slow', clock, { takesMs: 100 })];
    const pool = new ModelPool([fast.model, slow.model], { perHost: 3, clock });
    const { answers } = await ask(pool, clock, 200, 2);
    expect(countsOf(answers).fast).toBeGreaterThan(190);
    await ask(pool, clock, 100, 50);
    expect([fast.most(), slow.most()]).toEqual([3, 3]);
  });

  it('leaves a failed host alone, longer each time, and takes it back with one call', async () => {
    const clock = new ManualClock();
    const [good, bad] = [host('good', clock, { takesMs: 20 }), host('bad', clock, { takesMs: 1 })];
    const pool = new ModelPool([good.model, bad.model], { perHost: 8, clock, coolDownMs: 1_000 });
    bad.scripted.down = true;
    const { errors } = await ask(pool, clock, 20, 8);
    expect(errors).toEqual([]);
    const { failures } = pool.status()[1] ?? { failures: 0 };
    expect(failures).toBeGreaterThan(0);
    expect(pool.status()[1]).toMatchObject({ state: 'cooling', calls: failures, problem: 'bad is down' });

    await clock.advance(1_000);
    expect(pool.status()[1]?.state).toBe('trying');
    await ask(pool, clock, 20, 8);
    expect(pool.status()[1]).toMatchObject({ state: 'cooling', calls: failures + 1 });
    await clock.advance(1_500);
    expect(pool.status()[1]?.state).toBe('cooling');

    bad.scripted.down = false;
    await clock.advance(500);
    const { answers } = await ask(pool, clock, 40, 8);
    expect(countsOf(answers).bad).toBeGreaterThan(10);
    expect(pool.status()[1]).toMatchObject({ state: 'up', failures: failures + 1 });
    expect(pool.status()[1]).not.toHaveProperty('problem');
  });

  it('says at once that no host answers, and finds out at the next call whether one is back', async () => {
    const clock = new ManualClock();
    const hosts = [host('one', clock), host('two', clock)];
    const pool = new ModelPool(
      hosts.map(({ model }) => model),
      { clock, coolDownMs: 60_000 },
    );
    for (const { scripted } of hosts) scripted.down = true;
    const { errors } = await ask(pool, clock, 20, 20);
    expect(errors).toHaveLength(20);
    expect(errors.every((error) => LoopError.is(error) && error.code === 'model-down')).toBe(true);
    expect(String(errors[0])).toMatch(/one is down.*two is down|two is down.*one is down/);
    for (const { scripted } of hosts) scripted.down = false;
    const { answers } = await ask(pool, clock, 1, 1);
    expect(answers).toHaveLength(1);
  });

  it('asks one more host for what one refuses or answers wrongly, and no third', async () => {
    const clock = new ManualClock();
    for (const [step, code] of [
      [{ kind: 'refused' }, 'model-refused'],
      [{ kind: 'text', text: '' }, 'model-answer'],
    ] as const) {
      const hosts = ['one', 'two', 'three'].map((name) => host(name, clock, { step: () => step }));
      const pool = new ModelPool(
        hosts.map(({ model }) => model),
        { clock },
      );
      const { errors } = await ask(pool, clock, 1, 1);
      expect(errors[0]).toMatchObject({ code });
      expect(hosts.reduce((sum, { scripted }) => sum + scripted.requests.length, 0)).toBe(2);
      expect(pool.status().every(({ state }) => state === 'up')).toBe(true);
    }
  });

  it('does not begin an answer anew that was handed on in part', async () => {
    const clock = new ManualClock();
    const steps: ModelStep[] = [
      { kind: 'broken', text: 'The key' },
      { kind: 'text', text: 'The whole' },
    ];
    const next = () => steps.shift() as ModelStep;
    const pool = new ModelPool([new ScriptedModel(next, { name: 'one' }), new ScriptedModel(next, { name: 'two' })], {
      clock,
    });
    const pieces: string[] = [];
    await expect(pool.complete(QUESTION, { onText: (piece) => pieces.push(piece) })).rejects.toMatchObject({
      code: 'model-down',
    });
    expect(pieces).toEqual(['The key']);
  });

  it('lets a call wait its time for a place, and no longer', async () => {
    const clock = new ManualClock();
    const pool = new ModelPool([host('busy', clock, { takesMs: 1_000 }).model], { clock, perHost: 1, maxWaiting: 2 });
    const first = pool.complete(QUESTION);
    const late = pool.complete(QUESTION, { timeoutMs: 100 }).catch((error: unknown) => error);
    const abort = new AbortController();
    const dropped = pool.complete(QUESTION, { signal: abort.signal }).catch((error: unknown) => error);
    await expect(pool.complete(QUESTION)).rejects.toMatchObject({ code: 'queue-full' });
    await clock.advance(100);
    expect(await late).toMatchObject({ code: 'timed-out' });
    abort.abort('enough');
    expect(await dropped).toBe('enough');
    await clock.advance(900);
    expect((await first).text).toBe('busy');
    expect(clock.pending).toBe(0);
  });

  it('turns to another host when one hangs', async () => {
    const hanging = new ScriptedModel(() => ({ kind: 'slow' }), { name: 'hanging' });
    const pool = new ModelPool([hanging, new ScriptedModel(() => 'here', { name: 'well' })], { hostTimeoutMs: 20 });
    const answers = await Promise.all([pool.complete(QUESTION), pool.complete(QUESTION)]);
    expect(answers.map(({ by }) => by)).toEqual(['well', 'well']);
  });

  it('goes round hosts whose queues are full of what others asked', async () => {
    const clock = new ManualClock();
    const [busy, idle] = [host('busy', clock), host('idle', clock)];
    busy.model.health = async () => ({ ok: true, models: [], latencyMs: 1, running: 30, waiting: 20 });
    const pool = new ModelPool([busy.model, idle.model], { clock });
    await ask(pool, clock, 4, 2);
    const { answers } = await ask(pool, clock, 20, 4);
    expect(countsOf(answers)).toEqual({ idle: 20 });
    expect(pool.status()[0]?.others).toBeGreaterThan(40);
  });

  it('leaves out a host whose server says that it is dead', async () => {
    const clock = new ManualClock();
    const [dead, well] = [host('dead', clock), host('well', clock)];
    dead.model.health = async () => ({ ok: false, models: [], latencyMs: 1, problem: 'the engine is dead' });
    const pool = new ModelPool([dead.model, well.model], { clock });
    await ask(pool, clock, 4, 4);
    expect(pool.status()[0]).toMatchObject({ problem: 'the engine is dead' });
    expect(await pool.health()).toMatchObject({ ok: true, models: ['well'] });
  });

  it('refuses numbers that cannot be used', () => {
    expect(() => new ModelPool([])).toThrow('a pool needs at least one model');
    expect(() => new ModelPool([new ScriptedModel()], { perHost: 0 })).toThrow(
      'perHost of the pool is 0: give at least 1',
    );
  });
});

describe('a pool of servers', () => {
  it('hands no failed call on while one of its servers dies', async () => {
    const servers = [await vllmServer(), await vllmServer(), await vllmServer()];
    const models = servers.map(({ url }) => new VllmModel({ url, model: 'qwen3' }));
    const pool = new ModelPool(models, { perHost: 2, coolDownMs: 50 });
    const calls = Array.from({ length: 60 }, async (_, index) => {
      const answer = await pool.complete(QUESTION);
      if (index === 10) await servers[0]?.stop();
      return answer.by;
    });
    const byHost = countsOf(await Promise.all(calls));
    expect(Object.keys(byHost)).toHaveLength(3);
    expect(pool.status()[0]).toMatchObject({ state: expect.stringMatching(/cooling|trying/) });
    expect(pool.status()[0]?.problem).toMatch(/cannot be reached|broke off/);
    for (const { stop } of servers.slice(1)) await stop();
  });
});
