import { type Model, type ModelRequest, type OutcomeId, RSILoop } from 'rsi-loop';
import { ManualClock, type Scripted, ScriptedModel } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';

interface Loop {
  readonly loop: RSILoop;
  readonly clock: ManualClock;
  readonly problems: string[];
}

function loopWith(model: Model | undefined, more: { modelTimeoutMs?: number } = {}): Loop {
  const clock = new ManualClock();
  const problems: string[] = [];
  // Rules are worded elsewhere, so that the model is asked for causes alone.
  const ruleWriter = { name: 'silent', write: async () => [] };
  const loop = new RSILoop({ clock, ruleWriter, ...(model && { model }), ...more });
  loop.on('problem', ({ where, message }) => problems.push(`${where}: ${message}`));
  return { loop, clock, problems };
}

const CHECKS = [
  'the total was wrong by one',
  'it left out the last row of the table',
  'the sum skipped the header row',
];

/** Lets the time pass that something takes. */
async function inTime<T>(promise: Promise<T>, clock: ManualClock): Promise<T> {
  let isDone = false;
  void promise.finally(() => {
    isDone = true;
  });
  while (!isDone) await clock.advance(50);
  return promise;
}

/** Failures that no rule can name a cause for. */
async function fail(
  { loop, clock }: Loop,
  times = 3,
  texts: readonly string[] = CHECKS,
): Promise<readonly OutcomeId[]> {
  const ids: OutcomeId[] = [];
  for (let index = 0; index < times; index++) {
    await clock.advance(20 * 60_000);
    const error = texts[index % texts.length];
    const id = loop.observer.recordSimple('sum_up', {
      success: false,
      issues: ['wrong_total'],
      context: { note: error },
    });
    if (id) ids.push(id);
  }
  return ids;
}

const answer = (json: object): Scripted => ({ kind: 'json', json: json as never });
const good = answer({
  cause: 'reasoning_error',
  confidence: 0.95,
  quotes: [
    { record: 'record1', text: 'wrong by one' },
    { record: 'record2', text: 'left out the last row' },
  ],
});

describe('a model that suggests causes', () => {
  it('is shown, with what it quotes by the id of the outcome, and never as sure as a rule', async () => {
    const model = new ScriptedModel([good]);
    const world = loopWith(model);
    const ids = await fail(world);
    const { patterns } = await world.loop.runCycle();
    const expected = {
      cause: 'reasoning_error',
      confidence: 0.7,
      evidence: [`${ids[0]}: "wrong by one"`, `${ids[1]}: "left out the last row"`],
      by: 'scripted',
    };
    expect(patterns.find(({ task }) => task === 'sum_up')?.rootCause).toEqual(expected);
    expect(world.loop.patterns().find(({ task }) => task === 'sum_up')?.rootCause).toEqual(expected);
    await world.loop.close();
  });

  it('gets recorded text in the user part alone, without what cannot be seen', async () => {
    const model = new ScriptedModel([good]);
    const world = loopWith(model);
    await fail(world, 3, [`planted \u202etext\u200b ${'x'.repeat(5_000)}`, ...CHECKS]);
    await world.loop.runCycle();
    const [system, user] = model.requests[0]?.messages ?? [];
    expect(system?.role).toBe('system');
    expect(system?.content).not.toMatch(/planted|sum_up|wrong_total/);
    expect(user).toMatchObject({ role: 'user', content: expect.stringContaining('planted text xxx') });
    expect(Buffer.byteLength(user?.content ?? '')).toBeLessThan(3 * 2_000);
    await world.loop.close();
  });

  it('is asked once, and again when the pattern was seen twice as often', async () => {
    const model = new ScriptedModel([good, answer({ cause: 'undetermined', confidence: 0, quotes: [] })]);
    const world = loopWith(model);
    await fail(world, 4);
    await world.loop.runCycle();
    await world.loop.runCycle();
    await fail(world, 3);
    await world.loop.runCycle();
    expect(model.requests).toHaveLength(1);
    await fail(world, 1);
    const { patterns } = await world.loop.runCycle();
    expect(model.requests).toHaveLength(2);
    expect(patterns.find(({ task }) => task === 'sum_up')?.rootCause).toMatchObject({
      cause: 'undetermined',
      by: 'scripted',
    });
    await world.loop.close();
  });

  it('is not asked where the rules know the cause, or a failure is no pattern yet', async () => {
    const model = new ScriptedModel([]);
    const world = loopWith(model);
    await fail(world, 2);
    for (let index = 0; index < 5; index++) {
      world.loop.observer.recordSimple('api_call', { success: false, error: '429 Too Many Requests' });
    }
    await world.loop.runCycle();
    expect(model.requests).toEqual([]);
    await world.loop.close();
  });

  it.for([
    ['quotes words that are in no record', [{ record: 'record1', text: 'the agent was drunk' }], 'does not stand in'],
    [
      'quotes another record than it names',
      [{ record: 'record1', text: 'left out the last row' }],
      'does not stand in',
    ],
    ['quotes nothing', [], 'quotes nothing'],
    ['quotes a word', [{ record: 'record1', text: 'wrong' }], 'says nothing'],
  ] as const)('is refused when it %s', async ([, quotes, reason]) => {
    const model = new ScriptedModel([answer({ cause: 'overconfidence', confidence: 1, quotes })]);
    const world = loopWith(model);
    await fail(world);
    const { patterns } = await world.loop.runCycle();
    expect(patterns.find(({ task }) => task === 'sum_up')?.rootCause.cause).toBe('undetermined');
    expect(world.problems).toEqual([
      expect.stringMatching(new RegExp(`^model: what the model says of .* is not taken: .*${reason}`)),
    ]);
    await world.loop.runCycle();
    expect(model.requests).toHaveLength(1);
    await world.loop.close();
  });

  it('says the same after a restart, and in a process that follows', async () => {
    const { FileStore } = await import('rsi-loop/node');
    const { mkdtempSync, rmSync } = await import('node:fs');
    const folder = mkdtempSync('/tmp/rsi-study-');
    const clock = new ManualClock();
    const ruleWriter = { name: 'silent', write: async () => [] };
    const first = new RSILoop({ store: new FileStore(folder), clock, ruleWriter, model: new ScriptedModel([good]) });
    await first.ready();
    await fail({ loop: first, clock, problems: [] });
    const ofTask = (loop: RSILoop) => loop.patterns().find(({ task }) => task === 'sum_up');
    await first.runCycle();
    const before = ofTask(first);
    expect(before?.rootCause.by).toBe('scripted');
    await first.close();
    const second = new RSILoop({ store: new FileStore(folder), clock });
    await second.ready();
    expect(ofTask(second)).toEqual(before);
    await second.close();
    rmSync(folder, { recursive: true });
  });
});

describe('a model that fails', () => {
  const offline = { cause: 'undetermined', confidence: 0, evidence: [] };
  const cases: readonly (readonly [string, Scripted, string])[] = [
    ['is down', { kind: 'down' }, 'scripted is down'],
    ['says nonsense', 'Certainly! The cause is …', 'the answer is not valid JSON'],
    ['is cut off', { kind: 'cut', text: '{"cause":"reaso' }, 'the answer was cut off at 800 tokens'],
    ['breaks off', { kind: 'broken', text: '{"cause"' }, 'broke off in the middle of its answer'],
    ['refuses', { kind: 'refused' }, 'will not do it'],
    ['gives another shape', answer({ cause: 'magic', confidence: 1, quotes: [] }), 'the answer.cause is none of'],
    ['says nothing', '', 'the answer is empty'],
  ];

  it.for(cases)('leads to what the rules say, and a named reason: it %s', async ([, step, reason]) => {
    const world = loopWith(new ScriptedModel([step]));
    await fail(world);
    const { patterns, unfinished } = await world.loop.runCycle();
    expect(patterns.find(({ task }) => task === 'sum_up')?.rootCause).toEqual(offline);
    expect(unfinished).toBeUndefined();
    expect(world.problems).toEqual([expect.stringContaining(reason)]);
    await world.loop.close();
  });

  it('leads there too when it repeats the question', async () => {
    const echo = new ScriptedModel(({ messages }) => messages.map(({ content }) => content).join('\n'));
    const world = loopWith(echo);
    await fail(world);
    await world.loop.runCycle();
    expect(world.problems).toEqual([expect.stringContaining('the answer is not valid JSON')]);
    await world.loop.close();
  });

  it('is not waited for, though it keeps neither to its time nor to its signal', async () => {
    const deaf: Model = {
      name: 'deaf',
      complete: () => new Promise(() => {}),
      embed: async () => [],
      health: async () => ({ ok: true, models: [], latencyMs: 0 }),
    };
    const world = loopWith(deaf, { modelTimeoutMs: 1_000 });
    await fail(world);
    const cycle = world.loop.runCycle();
    expect((await inTime(cycle, world.clock)).unfinished).toBeUndefined();
    expect(world.problems).toEqual([expect.stringContaining('deaf gave no answer within 1000 ms')]);
    await world.loop.runCycle();
    await world.loop.close();
  });

  it('is given up when the loop closes', async () => {
    const model = new ScriptedModel([{ kind: 'slow' }]);
    const world = loopWith(model);
    await fail(world);
    const held = world.loop.runCycle();
    while (model.requests.length === 0) await world.clock.advance(1);
    await world.loop.close();
    expect((await held).unfinished).toBeUndefined();
    expect(world.problems).toEqual([]);
  });

  it('is left alone for ten minutes when it is down, and then asked again', async () => {
    const model = new ScriptedModel((): Scripted => good);
    const world = loopWith(model);
    model.down = true;
    await fail(world);
    await world.loop.runCycle();
    model.down = false;
    await world.loop.runCycle();
    expect(model.requests).toHaveLength(0);
    expect(world.problems).toHaveLength(1);
    await world.clock.advance(600_000);
    await world.loop.runCycle();
    expect(model.requests).toHaveLength(1);
    await world.loop.close();
  });
});

describe('what the loop asks of its model', () => {
  it('is recorded as its own doing, beside the health of the host, and never studied itself', async () => {
    const asked: ModelRequest[] = [];
    const model = new ScriptedModel((request) => {
      asked.push(request);
      return { kind: 'text', text: 'no JSON', tokens: { input: 700, output: 3 } };
    });
    const world = loopWith(model);
    const outcomes: string[] = [];
    for (let round = 1; round <= 5; round++) {
      await fail(world, 3 * 2 ** round);
      await world.loop.runCycle();
    }
    for await (const { record } of world.loop.store.journal.read()) {
      if (record.kind === 'outcome' && record.outcome.source === 'rsi-loop') {
        const { task, success, parent, issues } = record.outcome;
        outcomes.push(`${task} ${success} ${parent} ${issues}`);
      }
    }
    expect(outcomes.length).toBe(asked.length);
    expect(new Set(outcomes)).toEqual(new Set(['rsi-loop: root cause false rsi-loop parse_error']));
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.every(({ messages }) => !messages[1]?.content.includes('rsi-loop'))).toBe(true);
    expect(Object.keys(world.loop.health().byTask)).toEqual(['sum_up']);
    expect(world.loop.fixes().filter(({ task }) => task.startsWith('rsi-loop'))).toEqual([]);
    await world.loop.close();
  });

  it('tells what an answer cost and which model gave it', async () => {
    const model = new ScriptedModel([
      {
        kind: 'text',
        text: JSON.stringify({ cause: 'undetermined', confidence: 0, quotes: [] }),
        tokens: { input: 700, output: 20 },
      },
    ]);
    const world = loopWith(model);
    await fail(world);
    await world.loop.runCycle();
    const own = [];
    for await (const { record } of world.loop.store.journal.read()) {
      if (record.kind === 'outcome' && record.outcome.source === 'rsi-loop') own.push(record.outcome);
    }
    expect(own).toMatchObject([
      { success: true, model: 'scripted', tokens: { input: 700, output: 20 }, parent: 'rsi-loop' },
    ]);
    await world.loop.close();
  });
});
