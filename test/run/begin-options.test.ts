import { describe, expect, it } from 'vitest';
import type { Scope } from '../../src/contract/scope.js';
import { INTERNALS } from '../../src/live/internals.js';
import { RSILoop } from '../../src/loop.js';
import type { BeginOptions } from '../../src/run/begin-options.js';
import { fixture } from './fixture.js';

const HOUR_MS = 3_600_000;
const WEEK_MS = 168 * HOUR_MS;

/** Begins one task. Returns the scope that its settings are looked up with, and the messages of its problems. */
function begun(options: BeginOptions | Readonly<Record<string, unknown>>, slowestMs = 0) {
  const scopes: Scope[] = [];
  const { begin, problems, clock } = fixture(
    {},
    {
      ports: {
        slowestMs: () => slowestMs,
        adviceFor: (scope) => {
          scopes.push(scope);
          return [];
        },
      },
    },
  );
  const task = begin('ask', options as BeginOptions);
  const messages = problems.map(({ message }) => message);
  return { scope: scopes[0], messages, where: problems[0]?.where, limitMs: task.deadlineMs - clock.now() };
}

const ASK = { task: 'ask', source: 'generic' };

describe('the tags of a task', () => {
  it('are part of its scope, the first 8 of them, and of its outcome with those of its end', () => {
    const many = Array.from({ length: 9 }, (_, index) => `t${index}`);
    const { scope } = begun({ tags: many });
    expect(Object.keys(scope ?? {}).filter((key) => key.startsWith('feature.tag:'))).toHaveLength(8);
    expect(scope?.['feature.tag:t0']).toBe('yes');
    const loop = new RSILoop();
    const ended: (readonly string[] | undefined)[] = [];
    loop[INTERNALS].listeners.add(({ tags }) => void ended.push(tags));
    loop.begin('ask', { tags: ['beta', 'beta', 'eu'] }).end({ success: true, tags: ['late', 'eu'] });
    loop.begin('ask', { tags: ['beta'] }).end({ success: true });
    expect(ended).toEqual([['beta', 'eu', 'late'], ['beta']]);
  });

  it('are reported and ignored if they are no list of texts', () => {
    expect(begun({ tags: 'beta' }).messages).toEqual([
      expect.stringMatching(/^tags is .*: it was ignored; give a list of texts$/),
    ]);
    expect(begun({ tags: [7] })).toMatchObject({ scope: ASK, messages: ['tags is 7: it was ignored; give a text'] });
  });
});

describe('the features of a task', () => {
  it('are part of its scope, without secrets', () => {
    const secret = `ghp_${'aZ3k9Q'.repeat(6)}`;
    const { scope, messages } = begun({ features: { language: 'de', length: 'long', token: secret } });
    expect(scope).toMatchObject({ ...ASK, 'feature.language': 'de', 'feature.length': 'long' });
    expect(scope?.['feature.token']).toMatch(/^\[redacted/);
    expect(messages).toEqual([]);
  });

  it.each([
    ['a text', 'de'],
    ['a list', ['de']],
    ['null', null],
    ['a number', 7],
  ])('are reported and ignored if they are %s, and the task begins', (_name, features) => {
    const { scope, messages, where } = begun({ features });
    expect(scope).toStrictEqual(ASK);
    expect(messages).toEqual([expect.stringMatching(/^features is .*: they were ignored; give an object of texts$/)]);
    expect(where).toBe('begin');
  });

  it('are at most 8, and the others are reported by name', () => {
    const nine = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`f${index}`, 'yes']));
    const { scope, messages } = begun({ features: nine });
    expect(Object.keys(scope ?? {})).toEqual([
      'task',
      'source',
      ...Object.keys(nine)
        .slice(0, 8)
        .map((name) => `feature.${name}`),
    ]);
    expect(messages).toEqual([
      'the feature "f8" was ignored: give at most 8 names of up to 40 letters, digits, _ and -',
    ]);
  });

  it('that cannot be used are reported, and leave room for 8 others', () => {
    const eight = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`f${index}`, 'yes']));
    const odd = { 'two words': 'yes', '': 'yes', ['n'.repeat(41)]: 'yes', count: 7, absent: undefined };
    const { scope, messages } = begun({ features: { ...odd, ...eight } });
    expect(Object.keys(scope ?? {})).toHaveLength(10);
    expect(scope).toHaveProperty(['feature.f7'], 'yes');
    expect(scope).not.toHaveProperty(['feature.absent']);
    expect(messages).toHaveLength(4);
    expect(messages[0]).toContain('the feature "two words" was ignored');
    expect(messages[3]).toBe('features.count is 7: it was ignored; give a text');
  });

  it('may have a name of 40 characters, and lose only those that throw when they are read', () => {
    const features = {
      ['n'.repeat(40)]: 'yes',
      get broken(): string {
        throw new Error('no');
      },
    };
    const { scope, messages } = begun({ features });
    expect(scope).toStrictEqual({ ...ASK, [`feature.${'n'.repeat(40)}`]: 'yes' });
    expect(messages).toEqual([]);
  });
});

describe('the deployment of a task', () => {
  it('is that of the loop, except for what the task names itself', () => {
    const scopes: Scope[] = [];
    const { begin, outcomes, problems } = fixture(
      {},
      {
        ports: {
          deployment: { service: 'shop', version: '1.4.2' },
          adviceFor: (scope) => {
            scopes.push(scope);
            return [];
          },
        },
      },
    );
    begin('ask').end({ success: true });
    begin('ask', { version: '2.0.0', region: 'eu' }).end({ success: true });
    begin('ask', { host: 7 } as object).end({ success: true });
    expect(scopes).toStrictEqual([
      { ...ASK, service: 'shop', version: '1.4.2' },
      { ...ASK, service: 'shop', version: '2.0.0', region: 'eu' },
      { ...ASK, service: 'shop', version: '1.4.2' },
    ]);
    expect(outcomes[1]).toMatchObject({ version: '2.0.0', region: 'eu' });
    expect(problems.map(({ message }) => message)).toEqual(['host is 7: it was ignored; give a text']);
  });
});

describe('the deadline of a task', () => {
  it('is three times the recent maximum, at least one hour and at most a week', () => {
    const usual = (slowestMs: number) => begun({}, slowestMs).limitMs;
    expect([usual(0), usual(HOUR_MS), usual(WEEK_MS)]).toEqual([HOUR_MS, 3 * HOUR_MS, WEEK_MS]);
    expect(begun({}).messages).toEqual([]);
  });

  it('is the one of the host, up to a week', () => {
    for (const deadlineMs of [1, WEEK_MS]) {
      expect(begun({ deadlineMs }, HOUR_MS)).toMatchObject({ limitMs: deadlineMs, messages: [] });
    }
  });

  it.each([0, -1, WEEK_MS + 1, Number.NaN, Number.POSITIVE_INFINITY])(
    'is the usual one if the host gives %d, which is reported',
    (deadlineMs) => {
      const { limitMs, messages, where } = begun({ deadlineMs }, HOUR_MS);
      expect(limitMs).toBe(3 * HOUR_MS);
      expect(messages).toEqual([
        `deadlineMs is ${deadlineMs}: 10800000 is used; give milliseconds above 0, at most 7 days`,
      ]);
      expect(where).toBe('begin');
    },
  );
});
