import { MemoryStore, RSILoop, type RSILoopOptions, reportProblem, type Store } from 'rsi-loop';
import { type NotifyOptions, notifier } from 'rsi-loop/notify';
import type { Saved, Snapshots } from 'rsi-loop/testing';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';

/** Store that stays open for the next loop. */
function lasting(): Store {
  const { journal, ledger, snapshots, coordination } = new MemoryStore();
  return { journal, ledger, snapshots, coordination };
}

/** Loop with alerts to a target that keeps what it gets. */
function watched(
  options: Partial<NotifyOptions> = {},
  given: { clock?: ManualClock; store?: Store } = {},
  loopOptions: RSILoopOptions = { autoFix: false },
) {
  const { clock = new ManualClock(), store = lasting() } = given;
  const bodies: { kind: string; title: string; lines: string[]; text: string }[] = [];
  const answers: number[] = [];
  const problems: string[] = [];
  const loop = new RSILoop({ clock, store, ...loopOptions });
  loop.on('problem', ({ where, message }) => problems.push(`${where}: ${message}`));
  loop.sources.attach(
    notifier({
      targets: [{ kind: 'webhook', url: 'https://hooks.example/geheim' }],
      clock,
      fetch: async (_, { body }) => {
        const status = answers.shift() ?? 200;
        if (status === 200) bodies.push(JSON.parse(body));
        return { status, headers: { get: (name) => (status === 429 && name === 'retry-after' ? '300' : null) } };
      },
      ...options,
    }),
  );
  const fail = (task: string, error: string, count: number, of = count) => {
    for (let call = 0; call < of; call++) {
      loop.observer.recordSimple(task, call < count ? { success: false, error } : { success: true });
    }
  };
  const look = async () => {
    await loop.runCycle();
    await clock.advance(60_000);
  };
  return { loop, clock, store, bodies, answers, problems, fail, look };
}

describe('alerts', () => {
  it('send one message per matter: the pattern, its rate and what there is to decide', async () => {
    const { loop, bodies, fail, look } = watched();
    fail('edit_file', 'File has not been read yet. Read it first before writing to it.', 20, 100);
    await look();
    await look();
    fail('edit_file', 'File has not been read yet. Read it first before writing to it.', 20, 100);
    await look();
    await loop.close();
    expect(bodies).toHaveLength(1);
    const [{ kind, title, lines } = { kind: '', title: '', lines: [] }] = bodies;
    expect({ kind, title }).toEqual({ kind: 'new-pattern', title: 'New: edit_file · validation' });
    expect(lines.slice(0, 2)).toEqual([
      '20 of 100 (20 %).',
      '“File has not been read yet. Read it first before writing to it.”',
    ]);
    expect(lines[2]).toMatch(/^To decide: rule for TOOLS: .* Approve: rsi approve fix-[0-9a-f]+$/);
  });

  it('are not repeated after a restart, and not sent by a second process on the same store', async () => {
    const { loop, clock, store, bodies, fail, look } = watched();
    fail('pay', '500 Internal Server Error', 20, 100);
    await look();
    expect(bodies).toHaveLength(1);
    const second = watched({}, { clock, store });
    await second.loop.ready();
    await second.look();
    await loop.close();
    await second.loop.close();
    const third = watched({}, { clock, store });
    await third.look();
    await third.loop.close();
    expect([...second.bodies, ...third.bodies]).toEqual([]);
    expect(JSON.stringify(await store.snapshots.load('alerts'))).not.toMatch(/pay|geheim|hooks/);
  });

  it('are not repeated after an erasure, which deletes snapshots', async () => {
    const saved = new Map<string, Saved>();
    const snapshots: Snapshots = {
      load: async (name) => saved.get(name),
      save: async (name, value, after) => {
        if ((saved.get(name)?.version ?? 0) !== after) return false;
        saved.set(name, { version: after + 1, value });
        return true;
      },
    };
    const clock = new ManualClock();
    const store = { ...lasting(), snapshots };
    const first = watched({}, { clock, store });
    first.fail('pay', 'ECONNRESET', 20, 100);
    await first.look();
    expect(first.bodies).toHaveLength(1);
    saved.clear();
    await first.look();
    await first.loop.close();
    const second = watched({}, { clock, store });
    await second.look();
    await second.loop.close();
    expect(second.loop.patterns()).toHaveLength(1);
    expect(second.bodies).toEqual([]);
  });

  it('are sent once by two processes that look at the same time', async () => {
    const clock = new ManualClock();
    const store = lasting();
    const loops = [watched({}, { clock, store }), watched({}, { clock, store })];
    for (const { loop } of loops) await loop.ready();
    loops[0]?.fail('pay', 'ECONNRESET', 20, 100);
    await loops[0]?.loop.flush();
    for (const { loop } of loops) await loop.runCycle();
    await clock.advance(60_000);
    expect(loops.map(({ loop }) => loop.patterns().length)).toEqual([1, 1]);
    expect(loops.flatMap(({ bodies }) => bodies)).toHaveLength(1);
    for (const { loop } of loops) await loop.close();
  });

  it('are sent once if the store reads but cannot write', async () => {
    const store = lasting();
    const snapshots = {
      load: store.snapshots.load.bind(store.snapshots),
      save: () => Promise.reject(new Error('full')),
    };
    const { loop, bodies, fail, look } = watched({}, { store: { ...store, snapshots } });
    fail('pay', 'ECONNRESET', 20, 100);
    for (let cycle = 0; cycle < 4; cycle++) await look();
    await loop.close();
    expect(bodies.filter(({ title }) => title.startsWith('New'))).toHaveLength(1);
  });

  it('send many matters of one look as one message', async () => {
    const { loop, bodies, fail, look } = watched();
    for (let task = 0; task < 30; task++) fail(`task_${task}`, 'ECONNRESET', 5, 10);
    await look();
    await loop.close();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]?.title).toBe('30 alerts');
    expect(bodies[0]?.lines).toHaveLength(11);
    expect(bodies[0]?.lines.at(-1)).toBe('and 20 more: rsi report');
  });

  it('send a burst only if no pattern says it', async () => {
    const { loop, clock, bodies, fail, look } = watched();
    fail('pay', 'ECONNRESET', 3);
    await clock.advance(180_000);
    expect(bodies.map(({ title }) => title)).toEqual(['Burst: pay · network']);
    fail('search', '429 Too Many Requests', 5);
    await look();
    await look();
    await loop.close();
    expect(bodies.map(({ title }) => title)).toEqual([
      'Burst: pay · network',
      'New: search · rate_limit',
      'New: pay · network',
    ]);
  });

  it('send a return once, from its third failure on', async () => {
    const { loop, clock, bodies, fail, look } = watched({ on: ['returned-pattern'], everyMs: 3_600_000 });
    const hours = async (count: number, failures: number) => {
      for (let hour = 0; hour < count; hour++) {
        fail('pay', 'ECONNRESET', failures, 60);
        await look();
        await clock.advance(3_600_000);
      }
    };
    await hours(10, 20);
    await hours(80, 0);
    expect(loop.patterns()[0]?.trend).toBe('resolved');
    await hours(1, 1);
    expect(loop.patterns()[0]?.trend).toBe('returned');
    expect(bodies).toEqual([]);
    await hours(5, 4);
    await loop.close();
    expect(bodies.map(({ title }) => title)).toEqual(['Back again: pay · network']);
    expect(bodies[0]?.lines[0]).toMatch(/^\d+ of \d+ \(.* %\) since it came back\.$/);
  });

  it('send health once when it falls below the line, and once when it is back', async () => {
    const { loop, clock, bodies, fail, look } = watched({ on: ['health'], healthBelow: 0.5, everyMs: 3_600_000 });
    fail('pay', 'ECONNRESET', 60, 100);
    await look();
    await clock.advance(3 * 86_400_000);
    fail('pay', '', 0, 500);
    await look();
    await clock.advance(7_200_000);
    await loop.close();
    expect(bodies.map(({ title }) => title)).toEqual([
      'Health 0.40, below 0.5',
      expect.stringMatching(/^Health is back at 0\.9/),
    ]);
  });

  it('send a verdict once, with its figures', async () => {
    const { loop, clock, bodies, look } = watched({ on: ['verdict'] }, {}, { idempotent: true });
    for (let call = 0; call < 400; call++) {
      const ask = async ({ attempt }: { attempt: number }) => {
        if (attempt === 1 && call % 2 === 0) throw new Error('ECONNRESET');
        return 'ok';
      };
      const answer = loop.run('pay', ask).catch(() => {});
      await clock.advance(20_000);
      await answer;
      if (call % 50 === 49) await look();
    }
    await loop.close();
    expect(bodies.map(({ title }) => title)).toEqual(['Fix confirmed: pay · network']);
    expect(bodies[0]?.lines[0]).toMatch(
      /^up to \d more attempts? after network: \d.* % of \d+ tasks succeeded with it, \d+ % of \d+ without\. It is in force\.$/,
    );
  });

  it('send the failing of cycles once', async () => {
    const { loop, clock, bodies } = watched({ on: ['cycle-failing'] });
    for (let attempt = 0; attempt < 5; attempt++) {
      reportProblem(loop, 'cycle', 'the disk is full');
      await clock.advance(60_000);
    }
    await loop.close();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]?.title).toBe('The cycle of the loop fails');
    expect(bodies[0]?.lines[0]).toBe('the disk is full');
  });

  it('wait until quiet hours are over, in the given time zone', async () => {
    // 21:30 UTC is 22:30 in Berlin.
    const clock = new ManualClock(Date.parse('2026-01-05T21:30:00Z'));
    const { loop, bodies, fail, look } = watched({ quietHours: '22:00-07:00', timeZone: 'Europe/Berlin' }, { clock });
    fail('pay', 'ECONNRESET', 20, 100);
    await look();
    await clock.advance(8 * 3_600_000);
    expect(bodies).toEqual([]);
    await clock.advance(3_600_000);
    await loop.close();
    expect(bodies.map(({ title }) => title)).toEqual(['New: pay · network']);
  });

  it('send a digest once a day, also after a restart', async () => {
    const clock = new ManualClock(Date.parse('2026-01-05T06:00:00Z'));
    const digest = { on: [], digestAt: '08:30', timeZone: 'UTC', everyMs: 1_800_000 };
    const first = watched({ ...digest }, { clock });
    first.fail('pay', 'ECONNRESET', 20, 100);
    await first.look();
    await clock.advance(3 * 3_600_000);
    await first.loop.close();
    const second = watched({ ...digest }, { clock, store: first.store });
    await second.look();
    expect(first.bodies).toHaveLength(1);
    expect(first.bodies[0]).toMatchObject({ kind: 'digest', title: 'Daily digest: health 0.80' });
    expect(first.bodies[0]?.lines.slice(0, 2)).toEqual(['1 pattern, 1 new or returned.', 'pay · network: 20 (20 %)']);
    await clock.advance(86_400_000);
    await second.loop.close();
    expect(second.bodies.map(({ kind }) => kind)).toEqual(['digest']);
  });

  it('retry while a target fails, honour Retry-After, and report the outage once', async () => {
    const { loop, clock, bodies, answers, problems, fail, look } = watched();
    answers.push(429, 500, 500, 500, 500);
    fail('pay', 'ECONNRESET', 20, 100);
    await look();
    const before = answers.length;
    await clock.advance(290_000);
    // A status of 429 announced 300 seconds.
    expect({ before, now: answers.length }).toEqual({ before: 4, now: 4 });
    await clock.advance(60_000);
    expect(bodies).toHaveLength(1);
    await loop.close();
    expect(problems).toEqual(['notify: webhook hooks.example did not take an alert: it answered 500']);
  });

  it('drop what a target refuses, and say so in the next alert', async () => {
    const { loop, bodies, answers, problems, fail, look } = watched();
    answers.push(404);
    fail('pay', 'ECONNRESET', 20, 100);
    await look();
    fail('search', '429 Too Many Requests', 20, 100);
    await look();
    await loop.close();
    expect(bodies.map(({ title }) => title)).toEqual(['New: search · rate_limit']);
    expect(bodies[0]?.lines.at(-1)).toBe('1 earlier alert could not be delivered.');
    expect(problems).toEqual(['notify: webhook hooks.example did not take an alert: it answered 404']);
  });

  it('contain no secret of an error message', async () => {
    const { loop, bodies, fail, look } = watched();
    fail('pay', 'login failed for password=hunter2hunter2 with key sk-ant-api03-abcdefghijklmnopqrstuvwxyz', 20, 100);
    await look();
    await loop.close();
    expect(bodies).toHaveLength(1);
    expect(JSON.stringify(bodies)).not.toMatch(/hunter2|abcdefghij/);
  });

  it('link to the screen of the dashboard that shows it', async () => {
    const { loop, bodies, fail, look } = watched({ dashboardUrl: 'https://rsi.example/dashboard?x#y' });
    fail('pay', '500 Internal Server Error', 20, 100);
    await look();
    await loop.close();
    const [{ fixIds: [fixId] = [], patternIds: [patternId] = [] } = {}] = bodies as {
      fixIds?: string[];
      patternIds?: string[];
    }[];
    const page = fixId === undefined ? `patterns/${patternId}` : `trials/${fixId}`;
    expect(bodies[0]).toMatchObject({ link: `https://rsi.example/dashboard/${page}` });
  });
});

describe('options of alerts', () => {
  it.for<[options: unknown, words: RegExp]>([
    [{}, /^notify\.targets is not valid: give a list/],
    [{ targets: [] }, /^notify\.targets is not valid/],
    [{ targets: [{ kind: 'pager' }] }, /^notify\.targets\[0\]\.kind is not valid: give one of slack, discord/],
    [{ targets: [{ kind: 'slack', url: 'geheim' }] }, /^notify\.targets\[0\]\.url is not valid: give an address/],
    [{ targets: [{ kind: 'slack', url: 'file:///geheim' }] }, /^notify\.targets\[0\]\.url is not valid/],
    [{ targets: [{ kind: 'slack', url: 'https://u:geheim@x.example' }] }, /leave out the user and password/],
    [
      { targets: [{ kind: 'slack', url: 'https://x.example', secret: 'geheim' }] },
      /slack|secret is not valid: this field is unknown/,
    ],
    [{ targets: [{ kind: 'webhook', url: 'https://x.example', secret: 'geheim' }] }, /at least 16 characters/],
    [
      { targets: [{ kind: 'webhook', url: 'https://x.example', headers: { a: 'geheim\n' + 'x' } }] },
      /without line ends/,
    ],
    [{ targets: [{ kind: 'email', url: 'https://x.example', from: 'a@b.c', to: [] }] }, /\.to is not valid/],
    [{ targets: [{ kind: 'desktop' }], on: ['everything'] }, /^notify\.on is not valid: give a list of new-pattern/],
    [{ targets: [{ kind: 'desktop' }], healthBelow: 80 }, /healthBelow is not valid: give a number from 0 to 1/],
    [
      { targets: [{ kind: 'desktop' }], quietHours: '22-7', timeZone: 'UTC' },
      /quietHours is not valid: give two times/,
    ],
    [{ targets: [{ kind: 'desktop' }], quietHours: '22:00-07:00' }, /timeZone is not valid: name the zone/],
    [
      { targets: [{ kind: 'desktop' }], digestAt: '08:30', timeZone: 'Mars/Base' },
      /timeZone is not valid: name a zone/,
    ],
    [{ targets: [{ kind: 'desktop' }], everyMs: 5 }, /everyMs is not valid: give a number from 1000/],
    [{ targets: [{ kind: 'desktop' }], quiethours: 'x' }, /quiethours is not valid: this field is unknown; known are/],
    [undefined, /^notify is not valid: give an object/],
  ])('%j', ([options, words]) => {
    const error = (() => {
      try {
        notifier(options as NotifyOptions);
        return '';
      } catch (thrown) {
        return (thrown as Error).message;
      }
    })();
    expect(error).toMatch(words);
    expect(error).not.toContain('geheim');
  });
});
