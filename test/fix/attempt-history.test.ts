import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { Lesson } from '../../src/contract/lesson.js';
import { isExhausted, isOverturned, isTooSoonToRetry } from '../../src/fix/attempt-history.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import { wilsonRate } from '../../src/lib/statistics.js';
import { policyChange, policyOnly, someFix } from './fixtures.js';

const DAY_MS = 86_400_000;
/** End of the trial that a lesson is about. */
const ENDED_MS = 10 * DAY_MS;

const lesson = (result: Lesson['result'], parts: Partial<Lesson> = {}): Lesson => ({
  fixId: 'old' as FixId,
  patternId: 'pattern-1',
  task: 'api_call',
  issue: 'network',
  target: 'retries.network',
  set: { 'retries.network': 2 },
  result,
  reason: 'it ended',
  atMs: ENDED_MS,
  attempt: 1,
  ...parts,
});

describe('a change that was tried before', () => {
  const kinds = new ChangeKinds([policyOnly()]);
  const isBlocked = (result: Lesson['result'], afterMs: number, set = { 'retries.network': 2 }) =>
    isTooSoonToRetry(policyChange({ set }), [lesson(result)], ENDED_MS + afterMs, kinds);

  it.for<[Lesson['result'], number]>([
    ['stopped-helping', 1],
    ['inconclusive', 30],
  ])('and %s may be tried again after %i days', ([result, days]) => {
    expect(isBlocked(result, days * DAY_MS - 1)).toBe(true);
    expect(isBlocked(result, days * DAY_MS)).toBe(false);
  });

  it.for<Lesson['result']>(['no-effect', 'harmed', 'rejected'])('and %s is not tried again', (result) => {
    expect(isBlocked(result, 10_000 * DAY_MS)).toBe(true);
  });

  it('by a clock that was a year ahead may be tried again', () => {
    expect(isBlocked('inconclusive', -1)).toBe(true);
    expect(isBlocked('inconclusive', -365 * DAY_MS)).toBe(false);
  });

  it('and helped is no reason against it, nor is another change', () => {
    expect(isBlocked('helped', 0)).toBe(false);
    expect(isBlocked('no-effect', 0, { 'retries.network': 4 })).toBe(false);
    expect(isTooSoonToRetry(policyChange(), [], ENDED_MS, kinds)).toBe(false);
  });
});

describe('a change without a useful effect', () => {
  const kinds = new ChangeKinds([policyOnly()]);
  const isBlocked = (...lessons: Lesson[]) => isTooSoonToRetry(policyChange(), lessons, ENDED_MS + 2, kinds);
  const helped = (atMs: number) => lesson('helped', { set: { 'backoff.baseMs': 500 }, atMs });

  it('may be tried again once another fix for the same failures was confirmed, one that harmed may not', () => {
    expect(isBlocked(lesson('no-effect'), helped(ENDED_MS + 1))).toBe(false);
    expect(isBlocked(lesson('no-effect'), helped(ENDED_MS - 1))).toBe(true);
    expect(isBlocked(lesson('harmed'), helped(ENDED_MS + 1))).toBe(true);
  });
});

describe('the attempts on a pattern', () => {
  const three = [lesson('no-effect'), lesson('harmed'), lesson('inconclusive')];

  it('are used up after three within 30 days, with those that run', () => {
    expect(isExhausted(three, ENDED_MS + 30 * DAY_MS - 1, 0)).toBe(true);
    expect(isExhausted(three, ENDED_MS + 30 * DAY_MS, 0)).toBe(false);
    expect(isExhausted(three.slice(1), ENDED_MS, 0)).toBe(false);
    expect(isExhausted(three.slice(1), ENDED_MS, 1)).toBe(true);
  });

  it('are counted again from each attempt that helped', () => {
    const helped = lesson('helped', { atMs: ENDED_MS + 1 });
    expect(isExhausted([...three, helped], ENDED_MS + 2, 2)).toBe(false);
    expect(isExhausted([helped, helped, helped, helped], ENDED_MS + 2, 0)).toBe(false);
    expect(isExhausted([helped, ...three.map((one) => ({ ...one, atMs: ENDED_MS + 3 }))], ENDED_MS + 4, 0)).toBe(true);
  });

  it('do not count proposals that a person rejected', () => {
    expect(isExhausted([...three.slice(1), lesson('rejected')], ENDED_MS, 0)).toBe(false);
  });
});

describe('a verdict on the choice of a model', () => {
  const set = { 'model.order': ['b'] };
  const model = (name: string, failures: number) => {
    const [rate, wantedLately] = [wilsonRate(1, 200), wilsonRate(failures, 200)];
    return { model: name, rate, wanted: rate, wantedLately, listedBeside: [] };
  };
  /** The fix whose control had failed in 10 of 100 tasks. */
  const old = (parts: Partial<Fix> = {}, control = { units: 100, tasks: 100, failures: 10 }) =>
    someFix(policyChange({ scope: { task: 'api_call', model: 'a' }, set }), {
      id: 'old' as FixId,
      verdict: { kind: 'failed', why: 'no-effect', figures: { control } } as unknown as NonNullable<Fix['verdict']>, // the part that is read
      ...parts,
    });
  const isOutdated = (
    parts: Partial<Lesson> = {},
    fix: Fix | undefined = old(),
    models = [model('x', 0), model('a', 60)],
  ) => isOverturned(lesson('no-effect', { set, ...parts }), new Map(fix && [[fix.id, fix]]), { models });

  it.for<Lesson['result']>(['no-effect', 'harmed', 'inconclusive'])(
    '%s is outdated once it fails far more',
    (result) => {
      expect(isOutdated({ result })).toBe(true);
      expect(isOutdated({ result }, old(), [model('x', 60), model('a', 30)])).toBe(false);
    },
  );

  it.for<Lesson['result']>(['helped', 'stopped-helping', 'rejected'])('%s is never outdated', (result) => {
    expect(isOutdated({ result })).toBe(false);
  });

  it('holds if anything but models was chosen, or if nothing is known of then or now', () => {
    expect(isOutdated({ set: { ...set, 'retries.network': 2 } })).toBe(false);
    expect(isOutdated({ fixId: 'other' as FixId })).toBe(false);
    expect(isOutdated({}, old({ verdict: undefined as never }))).toBe(false);
    expect(isOutdated({}, old(), [model('x', 60)])).toBe(false);
    expect(isOutdated({}, old({}, { units: 0, tasks: 0, failures: 0 }))).toBe(false);
    const placebo = { kind: 'inconclusive', why: 'not-randomised', atMs: 0 } as unknown as NonNullable<Fix['verdict']>;
    expect(isOutdated({}, old({ verdict: placebo }))).toBe(false);
  });
});
