import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/classify/fingerprint.js';
import { TemplateMiner } from '../../src/classify/template-miner.js';
import {
  groupAll,
  publicLogSets,
  scoreGrouping,
  sharedAgentErrors,
  shuffleStability,
  wholeness,
} from '../campaigns/grouping.js';
import { AGENT_ERRORS } from '../fixtures/agent-errors.js';
import { HOSTILE } from '../fixtures/hostile.js';
import { LOG_STYLES, linesInStyle } from '../fixtures/log-styles.js';

describe('TemplateMiner', () => {
  it('puts messages that differ in their values into one group and shows the values as <*>', () => {
    const miner = new TemplateMiner();
    const first = miner.add('request 17 to /srv/a took 20 ms');
    const second = miner.add('request 9 to /tmp/b.json took 3.1 s');
    expect(first).toEqual({ id: second.id, template: 'request <*> to <*> took <*>', isNew: true });
    expect(second.isNew).toBe(false);
  });

  it('names a group by the fingerprint of its first member', () => {
    const miner = new TemplateMiner();
    const message = 'session opened for user alice by cron';
    expect(miner.add(message).id).toBe(fingerprint(message));
    expect(miner.add('session opened for user bob by cron').id).toBe(fingerprint(message));
    expect(miner.resolve(fingerprint('session opened for user bob by cron'))).toBe(fingerprint(message));
  });

  it.each([
    ['HTTP statuses', 'Request failed with status code 429', 'Request failed with status code 500'],
    ['bare statuses', 'upstream said 502, giving up', 'upstream said 503, giving up'],
    ['statuses in tags', '<h1>403 Forbidden</h1>', '<h1>404 Not Found</h1>'],
    ['error classes', 'ValueError: cannot use it for plan a', 'TypeError: cannot use it for plan a'],
    ['error classes with digits', 'sqlite3.OperationalError: no good', 'psycopg2.OperationalError: no good'],
    ['protocol codes', 'MCP error -32603: it broke', 'MCP error -32601: it broke'],
    ['compiler codes', 'error TS2345: it broke', 'error TS2322: it broke'],
    ['signals', 'Process exited with code 137', 'Process exited with code 139'],
    ['states in capitals', 'job 7 went from RUNNING to DONE', 'job 7 went from RUNNING to LOST'],
    [
      'fields with few values',
      'job stopped early by host, reason=timeout',
      'job stopped early by host, reason=refused',
    ],
    ['quoted codes', '{"code":"insufficient_quota","id":"a1"}', '{"code":"rate_limit_exceeded","id":"a2"}'],
    ['deeper causes', 'Error: a b c d\n[cause]: Error: reset', 'Error: a b c d\n[cause]: Error: refused'],
  ])('never merges different %s', (_, one, other) => {
    const miner = new TemplateMiner();
    expect(miner.add(one).id).not.toBe(miner.add(other).id);
  });

  it('keeps apart what the caller says must stay apart, and asks only about unseen wordings', () => {
    const asked: string[] = [];
    const miner = new TemplateMiner({
      separate: (message) => {
        asked.push(message);
        return message.includes('quota') ? 'quota' : 'other';
      },
    });
    const quota = miner.add('request refused because of column quota today');
    const other = miner.add('request refused because of column width today');
    expect(miner.add('request refused because of column height today').id).toBe(other.id);
    expect(quota.id).not.toBe(other.id);
    miner.add('request refused because of column width today');
    expect(asked).toHaveLength(3);
  });

  it('learns that a place is variable once five words stood there, and then gives all of them the first id', () => {
    const miner = new TemplateMiner();
    const words = ['amber', 'basil', 'cedar', 'delta', 'ember', 'fjord'];
    const ids = words.map((word) => miner.add(`worker pool lost contact with mode=${word} during the night`).id);
    expect(new Set(ids.slice(0, 4)).size).toBe(4);
    expect(ids.slice(4)).toEqual([ids[0], ids[0]]);
    expect(ids.map((id) => miner.resolve(id))).toEqual(ids.map(() => ids[0]));
    expect(miner.add('worker pool lost contact with mode=amber during the night').template).toBe(
      'worker pool lost contact with mode=<*> during the night',
    );
  });

  it('remembers to which group a wording belonged after the group was forgotten', () => {
    const miner = new TemplateMiner({ maxWordings: 16 });
    const first = miner.add('session opened for user alice by cron').id;
    miner.add('session opened for user bob by cron');
    for (let index = 0; index < 40; index++) miner.add(`${letters(index)} has nothing to do with it`);
    expect(miner.add('session opened for user bob by cron')).toMatchObject({ id: first, isNew: true });
    expect(miner.add('session opened for user alice by cron')).toMatchObject({ id: first, isNew: false });
  });

  it('keeps no more wordings and aliases than allowed, whatever is sent', () => {
    const miner = new TemplateMiner({ maxWordings: 100, maxAliases: 50 });
    for (let index = 0; index < 5_000; index++)
      miner.add(`the ${letters(index)} ran away from ${letters(index * 31)} at noon`);
    const { groups, aliases } = miner.snapshot();
    expect(groups.reduce((sum, { wordings }) => sum + wordings.length, 0)).toBeLessThanOrEqual(100);
    expect(miner.size).toBe(groups.length);
    expect(aliases.length).toBeLessThanOrEqual(50);
  });

  it('goes on after a restart as if there had been none, byte for byte', () => {
    const messages = LOG_STYLES.flatMap((style) => linesInStyle(style, 60)).map(({ message }) => message);
    const options = { maxWordings: 80, maxAliases: 60 };
    const whole = new TemplateMiner(options);
    const before = new TemplateMiner(options);
    for (const message of messages.slice(0, 400)) {
      whole.add(message);
      before.add(message);
    }
    const after = new TemplateMiner(options);
    after.add('something that was here before');
    after.restore(JSON.parse(JSON.stringify(before.snapshot())));
    for (const message of messages.slice(400)) expect(after.add(message)).toEqual(whole.add(message));
    expect(JSON.stringify(after.snapshot())).toBe(JSON.stringify(whole.snapshot()));
  });

  it('reads a stack trace as its message and its deepest cause', () => {
    const miner = new TemplateMiner();
    const trace = (line: number) =>
      `Traceback (most recent call last):\n  File "/a/b.py", line ${line}, in run\n    go()\nValueError: step ${line} is not a number`;
    expect(miner.add(trace(3)).template).toBe('ValueError: step <*> is not a number');
    expect(miner.add(trace(40)).isNew).toBe(false);
    expect(
      miner.add('java.lang.IllegalStateException: no\n\tat a.B.c(B.java:1)\nCaused by: java.io.IOException: disk')
        .template,
    ).toBe('java.lang.IllegalStateException: no\nCaused by: java.io.IOException: disk');
  });

  it('never throws and answers within its template for hostile messages', () => {
    const miner = new TemplateMiner();
    for (const message of HOSTILE) {
      // Callers in plain JavaScript send what is no string, too.
      const { id, template } = miner.add(message as string);
      expect(id).toMatch(/^[0-9a-f]{16}$/);
      expect(template.length).toBeLessThan(20_000);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (message) => {
        expect(miner.add(message).id).toBe(miner.add(message).id);
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  it('keeps every recurring agent error whole and merges none of them', () => {
    const { resolved } = groupAll(AGENT_ERRORS.map(({ message }) => message));
    expect(
      wholeness(
        AGENT_ERRORS.map(({ label }) => label),
        resolved,
      ),
    ).toEqual({ split: [], merged: [] });
  });

  it.each(LOG_STYLES)('finds the groups of %s logs in any order', (style) => {
    const lines = linesInStyle(style, 600, 5);
    const messages = lines.map(({ message }) => message);
    const { fga } = scoreGrouping(
      lines.map(({ label }) => label),
      groupAll(messages).resolved,
    );
    expect(fga).toBeGreaterThan(0.85);
    expect(shuffleStability(messages, 2).least).toBeGreaterThan(0.97);
  });

  const logs = publicLogSets();
  it.skipIf(logs.length === 0)('groups the public log sets better than the aim', () => {
    const scores = logs.map(({ labels, messages }) => scoreGrouping(labels, groupAll(messages).atOnce));
    expect(mean(scores.map(({ ga }) => ga))).toBeGreaterThan(0.86);
    expect(mean(scores.map(({ fga }) => fga))).toBeGreaterThan(0.9);
  });

  const errors = sharedAgentErrors();
  it.skipIf(errors.length === 0)('keeps shared agent errors whole and merges none across categories', () => {
    const { resolved } = groupAll(errors.map(({ message }) => message));
    expect(
      wholeness(
        errors.map(({ category }) => category),
        resolved,
      ).merged,
    ).toEqual([]);
    expect(
      wholeness(
        errors.map(({ label }) => label),
        resolved,
      ).split.length,
    ).toBeLessThanOrEqual(2);
  });

  it.each([
    [
      'names that end like verbs',
      ['fred', 'ahmed', 'reed', 'anna', 'NATO'].map((name) => `login failed for user ${name}`),
    ],
    [
      'hosts of any country',
      ['a.acme.hk', 'b.foo.asia', 'c.bar.kz', 'd.baz.pe'].map((host) => `${host}: connection refused by the peer`),
    ],
    [
      'services with a port',
      ['cache', 'queue', 'auth-db'].map((name) => `${name}:6379: connection refused by the peer`),
    ],
    ['commands', ['rg', 'jq', 'fd'].map((name) => `bash: line 1: ${name}: command not found`)],
    ['commands by the path of the shell', ['rg', 'jq', 'fd'].map((name) => `/bin/sh: 1: ${name}: not found`)],
    [
      'operations',
      ['PutObject', 'GetObject', 'ListBuckets'].map(
        (name) => `AccessDenied when calling the ${name} operation: no rights`,
      ),
    ],
    [
      'tags of models',
      ['deepseek-r1:free', 'qwen-2.5:nitro', 'llama3:70b'].map((name) => `model ${name} answered with nothing at all`),
    ],
    [
      'what a tool threw',
      ['bad pixel', 'no rows left in it'].map((text) => `MCP error -32603: tool "draw" threw: ${text}`),
    ],
  ])('takes %s for values', (_, messages) => {
    const miner = new TemplateMiner();
    const ids = messages.map((message) => miner.resolve(miner.add(message).id));
    expect(new Set(ids.map((id) => miner.resolve(id))).size).toBe(1);
  });

  it('keeps apart what became of the thing that is named', () => {
    const miner = new TemplateMiner();
    const ids = ['denied', 'locked', 'expired', 'missing'].map(
      (word) => miner.add(`the request of the user ${word} again`).id,
    );
    expect(new Set(ids).size).toBe(4);
  });

  it('keeps status codes apart, except in the lines of an access log', () => {
    const miner = new TemplateMiner();
    expect(miner.add('upstream failed with status: 404').id).not.toBe(miner.add('upstream failed with status: 502').id);
    const line = (status: number) => `10.0.0.1 "GET /a HTTP/1.1" status: ${status} len: 12`;
    expect(miner.add(line(404)).id).toBe(miner.add(line(200)).id);
  });
});

function letters(value: number): string {
  return [...value.toString(20)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 20))).join('');
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
