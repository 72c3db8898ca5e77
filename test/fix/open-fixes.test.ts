import { describe, expect, it } from 'vitest';
import type { Fix, FixStatus } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import { OpenFixes } from '../../src/fix/open-fixes.js';
import { policyChange, ruleChange, someFix, somePattern } from './fixtures.js';

const setting = (id: string, parts: Partial<Fix> = {}) => someFix(policyChange(), { id: id as FixId, ...parts });
const rule = (id: string, parts: Partial<Fix> = {}) => someFix(ruleChange(), { id: id as FixId, ...parts });
const open = (...fixes: Fix[]) => new OpenFixes(fixes, ({ kind }) => kind === 'rule');
const idsOf = (fixes: readonly Fix[]) => fixes.map(({ id }) => id).join();

describe('the fix that covers a pattern', () => {
  const pattern = somePattern();

  it.for<[string, readonly Fix[], string | undefined]>([
    ['is none without fixes', [], undefined],
    ['is the first of two that wait for the loop', [setting('a'), setting('b')], 'a'],
    ['is the first of two that wait for a person', [rule('a'), rule('b')], 'a'],
    ['is the one that waits for the loop, before one that waits for a person', [rule('a'), setting('b')], 'b'],
    ['is the one on trial, before one that waits for the loop', [setting('a'), rule('b', { status: 'trial' })], 'b'],
    [
      'is the first of two in progress',
      [rule('a', { status: 'approved' }), setting('b', { status: 'confirmed' })],
      'a',
    ],
    ['may be of another pattern with the same failures', [rule('a'), setting('b', { patternId: 'other' })], 'b'],
    ['is not of another issue', [setting('a', { patternId: 'other', issue: 'timeout' })], undefined],
    ['is not of another task', [setting('a', { patternId: 'other', task: 'send' })], undefined],
  ])('%s', ([, fixes, id]) => {
    expect(open(...fixes).covering(pattern)?.id).toBe(id);
  });

  it('follows the fixes that are added', () => {
    const fixes = open(rule('a'));
    fixes.add(setting('b'));
    expect(fixes.covering(pattern)?.id).toBe('b');
    expect(idsOf(fixes.forFailures(pattern))).toBe('a,b');
  });
});

describe('a fix blocks others', () => {
  const BLOCKS: readonly FixStatus[] = ['proposed', 'approved', 'trial', 'confirmed', 'applied-unverified'];
  const DOES_NOT: readonly FixStatus[] = ['rejected', 'rolled-back', 'reopened', 'superseded', 'expired'];

  it.for([...BLOCKS.map((status) => [status, 1] as const), ...DOES_NOT.map((status) => [status, 0] as const)])(
    'or not while it is %s',
    ([status, blocking]) => {
      expect(open(setting('a', { status })).forFailures(somePattern())).toHaveLength(blocking);
    },
  );
});

describe('the fixes that apply to a task', () => {
  it('are its own and those for all tasks', () => {
    const own = setting('own');
    const other = someFix(policyChange({ scope: { task: 'send' } }), { id: 'other' as FixId });
    const all = someFix(policyChange({ scope: { model: 'haiku' } }), { id: 'all' as FixId });
    expect(idsOf(open(own, other, all).holdingFor('api_call'))).toBe('all,own');
    expect(idsOf(open(own, other).holdingFor('api_call'))).toBe('own');
    expect(idsOf(open(all).holdingFor('api_call'))).toBe('all');
    expect(open(other).holdingFor('api_call')).toEqual([]);
  });
});
