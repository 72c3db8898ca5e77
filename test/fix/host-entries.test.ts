import { describe, expect, it } from 'vitest';
import { settingLimitsOf } from '../../src/contract/policy.js';
import { checkEntry } from '../../src/fix/candidate.js';
import { readCandidates } from '../../src/fix/read-candidates.js';

const [name, match, propose] = ['mine', () => true, () => []];
const GOOD = { set: { 'retries.network': 3 }, reason: 'three attempts are enough' };

describe('an entry that a host registers', () => {
  class Entry {
    readonly name = 'mine';
    match() {
      return true;
    }
    propose() {
      return [];
    }
  }

  it('has a name and two functions, of its own or of its class', () => {
    expect(() => checkEntry({ name, match, propose })).not.toThrow();
    expect(() => checkEntry(new Entry())).not.toThrow();
  });

  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  it.for<[string, unknown]>([
    ['null', null],
    ['a text', 'mine'],
    ['a list', []],
    ['without a name', { match, propose }],
    ['without match', { name, propose }],
    ['without propose', { name, match }],
    ['a proxy that cannot be read', revoked],
  ])('is rejected if it is %s', ([, entry]) => {
    expect(() => checkEntry(entry as never)).toThrow('a catalog entry needs name, match(pattern, context) and propose');
  });
});

describe('what an entry of the host proposes', () => {
  const read = (...candidates: unknown[]) => readCandidates(candidates, undefined);

  it('is copied, field by field, and is not safe unless it says so', () => {
    const set = { 'retries.network': 3 };
    const [copy] = read({ ...GOOD, set, extra: 1, safe: 'yes' });
    set['retries.network'] = 9;
    expect(copy).toEqual({ ...GOOD, safe: false });
    const scope = { model: 'haiku', tool: 'search', source: 'ci', agent: 'ada', absent: undefined };
    const atMost = { durationMs: 900, costUsd: 0.01 };
    const { absent: _, ...kept } = scope;
    expect(read({ ...GOOD, scope, atMost, safe: true })).toEqual([{ ...GOOD, scope: kept, atMost, safe: true }]);
  });

  it('is cut to 20 candidates with reasons of 500 characters', () => {
    expect(read(...Array.from({ length: 21 }, () => GOOD))).toHaveLength(20);
    expect(read({ ...GOOD, reason: 'r'.repeat(501) })[0]?.reason).toBe('r'.repeat(500));
  });

  it('must respect the limits of the user', () => {
    const limits = settingLimitsOf({ 'retries.network': { max: 2 } });
    expect(() => readCandidates([GOOD], limits)).toThrow('setting retries.network is 3');
    expect(readCandidates([{ ...GOOD, set: { 'retries.network': 2 } }], limits)).toHaveLength(1);
  });

  it('must be a list', () => {
    expect(() => readCandidates(GOOD, undefined)).toThrow('what it proposes is an object: give a list of candidates');
    expect(() => readCandidates('none', undefined)).toThrow('what it proposes is "none": give a list');
  });

  it.for<[unknown, string]>([
    [null, 'a candidate is null: give { set, reason }'],
    ['retry', 'a candidate is "retry": give { set, reason }'],
    [[GOOD], 'a candidate is a list: give { set, reason }'],
    [{ ...GOOD, reason: '' }, 'reason is "": give one sentence for a person'],
    [{ ...GOOD, reason: 7 }, 'reason is 7: give one sentence'],
    [{ set: GOOD.set }, 'reason is undefined: give one sentence'],
    [{ reason: GOOD.reason }, 'policy is undefined: give an object of settings'],
    [{ ...GOOD, scope: 'haiku' }, 'scope is "haiku": give an object of names'],
    [{ ...GOOD, scope: { task: 'send' } }, 'scope.task is "send": give a text for model, tool, source, agent'],
    [{ ...GOOD, scope: { zone: 'eu' } }, 'scope.zone is "eu": give a text for model'],
    [{ ...GOOD, scope: { model: 4 } }, 'scope.model is 4: give a text'],
    [{ ...GOOD, atMost: 900 }, 'atMost is 900: give { durationMs, costUsd, calls }'],
    [{ ...GOOD, atMost: { tokens: 4 } }, 'atMost.tokens is 4: give durationMs, costUsd and calls, each above 0'],
    [{ ...GOOD, atMost: { durationMs: 0 } }, 'atMost.durationMs is 0: give'],
    [{ ...GOOD, atMost: { costUsd: Number.NaN } }, 'atMost.costUsd is NaN: give'],
    [{ ...GOOD, atMost: { costUsd: '1' } }, 'atMost.costUsd is "1": give'],
  ])('is rejected with the field and its value: %j', ([candidate, message]) => {
    expect(() => read(GOOD, candidate)).toThrow(message);
  });
});
