import { LoopError, RSILoop } from 'rsi-loop';
import { afterEach, describe, expect, it } from 'vitest';

const loops: RSILoop[] = [];

function createLoop() {
  const loop = new RSILoop();
  const problems: string[] = [];
  loop.on('problem', ({ where, message }) => problems.push(`${where}: ${message}`));
  loops.push(loop);
  return { loop, problems };
}

afterEach(async () => {
  for (const loop of loops.splice(0)) await loop.close();
});

/** A value as no type allows it. */
const any = (value: unknown) => value as never;

const throwing = Object.defineProperty({}, 'session', {
  enumerable: true,
  get() {
    throw new Error('no session today');
  },
});

const HOSTILE: readonly unknown[] = [
  undefined,
  null,
  0,
  -1,
  Number.NaN,
  7n,
  true,
  '',
  'text',
  Symbol('s'),
  () => {},
  [],
  [null],
  {},
  new Date(Number.NaN),
  new Map(),
  throwing,
  new Proxy(
    {},
    {
      get() {
        throw new Error('trap');
      },
      ownKeys() {
        throw new Error('trap');
      },
      has() {
        throw new Error('trap');
      },
    },
  ),
  Object.create(null),
  Object.assign(new Error('x'), { name: Object.assign([], { length: 2 ** 32 - 1 }) }),
];

describe('a task that is ended wrongly', () => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'it went well'],
    ['a list', []],
    ['an object that says nothing', {}],
  ])('with %s stays open, is reported, and takes its right end later', async (_, end) => {
    const { loop, problems } = createLoop();
    await loop.ready();
    const task = loop.begin('job');
    expect(task.end(any(end))).toBe(false);
    expect(problems.join('\n')).toMatch(/begin\.end: .*give \{ success: true \}/);
    expect(task.end({ success: true })).toBe(true);
    expect(loop.health()).toMatchObject({ score: 1, known: true });
  });

  it('with two megabytes of text costs no time that a host would notice', async () => {
    const { loop } = createLoop();
    await loop.ready();
    const before = process.cpuUsage();
    expect(loop.begin('job').end(any('x'.repeat(2_000_000)))).toBe(false);
    const { user } = process.cpuUsage(before);
    expect(user).toBeLessThan(500_000); // 1.8 s when each character was copied as a field
  });

  it('with getters that throw loses that field and nothing else', async () => {
    const { loop } = createLoop();
    await loop.ready();
    const end = Object.defineProperty({ success: false, error: 'E42' }, 'context', {
      enumerable: true,
      get() {
        throw new Error('no context today');
      },
    });
    expect(loop.begin('job').end(end)).toBe(true);
    expect(loop.health()).toMatchObject({ score: 0, known: true });
  });
});

it('an end taken out of its task works by itself', async () => {
  const { loop } = createLoop();
  await loop.ready();
  const { end } = loop.begin('job');
  expect(end({ success: true })).toBe(true);
  expect(loop.health()).toMatchObject({ score: 1, known: true });
});

describe('options of a task that are wrong', () => {
  it.each([
    ['null', null],
    ['a text', 'fast'],
    ['a signal that is none', { signal: {} }],
    ['models as one text', { models: 'gpt' }],
    ['models that are no texts', { models: [7] }],
    ['a getter that throws', throwing],
    ['a check that is no function', { accept: 'yes' }],
    ['a time-out that is none', { timeoutMs: 'soon' }],
  ])('%s: the function runs all the same, and the mistake is reported', async (_, options) => {
    const { loop, problems } = createLoop();
    await loop.ready();
    await expect(loop.run('job', ({ model }) => `done by ${model}`, any(options))).resolves.toContain('done by');
    expect(problems.join('\n')).not.toBe('');
    expect(loop.health()).toMatchObject({ score: 1, known: true });
  });

  it('names the one model that was given as a text', async () => {
    const { loop } = createLoop();
    await expect(loop.run('job', ({ model }) => model, any({ models: 'gpt' }))).resolves.toBe('gpt');
  });

  it('are as harmless to begin', async () => {
    const { loop } = createLoop();
    for (const options of HOSTILE) expect(loop.begin('job', any(options)).end({ success: true })).toBe(true);
    for (const task of HOSTILE) expect(loop.begin(any(task)).end({ success: true })).toBe(true);
  });
});

describe('a function that is none', () => {
  it('is refused with a sentence, and no failure of the task is recorded', async () => {
    const { loop } = createLoop();
    await loop.ready();
    await expect(loop.run('job', any('nope'))).rejects.toThrow(
      'run("job") was given a string instead of a function: write loop.run("job", async ({ signal }) => ...)',
    );
    expect(() => loop.wrap('job', any(undefined))).toThrow('wrap("job") was given undefined instead of a function');
    expect(loop.health().known).toBe(false);
  });
});

describe('wrap', () => {
  it('keeps the object a method is called on', async () => {
    const { loop } = createLoop();
    const client = {
      name: 'ada',
      greet: loop.wrap('greet', function (this: { name: string }, _context, word: string) {
        return `${word} ${this.name}`;
      }),
    };
    await expect(client.greet('hello')).resolves.toBe('hello ada');
  });
});

describe('every public function', () => {
  const calls: Readonly<Record<string, (loop: RSILoop, value: unknown) => unknown>> = {
    run: (loop, value) => loop.run('x', () => 1, any(value)),
    'run, its function': (loop, value) => loop.run('x', any(value)),
    'run, its task': (loop, value) => loop.run(any(value), () => 1),
    wrap: (loop, value) => loop.wrap('x', () => 1, any(value))(),
    begin: (loop, value) => loop.begin('x', any(value)),
    end: (loop, value) => loop.begin('x').end(any(value)),
    record: (loop, value) => loop.observer.record(value),
    recordSimple: (loop, value) => loop.observer.recordSimple('x', any(value)),
    'recordSimple, its task': (loop, value) => loop.observer.recordSimple(any(value), { success: true }),
    'recordSimple, its error': (loop, value) => loop.observer.recordSimple('x', { success: false, error: value }),
    recordFailure: (loop, value) => loop.observer.recordFailure(any(value)),
    policy: (loop, value) => loop.policy(any(value)),
    'policy, its scope': (loop, value) => loop.policy('x', any(value)),
    advice: (loop, value) => loop.advice(any(value)),
    'advice, its scope': (loop, value) => loop.advice('x', any(value)),
    endSession: (loop, value) => loop.endSession(any(value)),
    'endSession, its end': (loop, value) => loop.endSession('s', any(value)),
    fixes: (loop, value) => loop.fixes(any(value)),
    explain: (loop, value) => loop.explain(any(value)),
    approve: (loop, value) => loop.approve('fix-1', any(value)),
    'approve, its id': (loop, value) => loop.approve(any(value), { by: 'ada' }),
    reject: (loop, value) => loop.reject('fix-1', any(value)),
    apply: (loop, value) => loop.apply('fix-1', any(value)),
    rollback: (loop, value) => loop.rollback('fix-1', any(value)),
    freeze: (loop, value) => loop.freeze(any(value)),
    unfreeze: (loop, value) => loop.unfreeze(any(value)),
    on: (loop, value) => loop.on('problem', any(value)),
    'on, its event': (loop, value) => loop.on(any(value), () => {}),
    start: (loop, value) => loop.start(any(value)),
    'start, its pace': (loop, value) => loop.start({ everyMs: any(value) }),
    register: (loop, value) => loop.fixer.register(any(value)),
  };

  it.each(Object.keys(calls))('%s meets hostile values with a value or a LoopError', async (name) => {
    const { loop } = createLoop();
    const found: string[] = [];
    for (const value of HOSTILE) {
      try {
        await calls[name]?.(loop, value);
      } catch (error) {
        if (!LoopError.is(error)) found.push(`${describe2(value)}: ${error}`);
      }
    }
    loop.stop();
    expect(found).toEqual([]);
    expect((await loop.runCycle()).unfinished).toBeUndefined();
  });
});

function describe2(value: unknown): string {
  try {
    return `${typeof value} ${String(value)}`.slice(0, 60);
  } catch {
    return typeof value;
  }
}

describe('an answer without a name', () => {
  it.each(['approve', 'reject', 'apply'] as const)('%s says what is missing', async (verb) => {
    const { loop } = createLoop();
    await expect(loop[verb]('fix-1', any(undefined))).rejects.toThrow(
      `${verb} needs to know who decides: loop.${verb}(id, { by: "your name"`,
    );
  });
});
