import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localize } from '../../src/analyze/localize.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { f1, makeRollout, makeSharedWords, makeWorld, run, runAnalyzer, score } from './localize-worlds.js';
import { makeFailure, makeOutcome } from './make-outcome.js';

const seeds = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

/** `failing` of `of` outcomes with these fields fail. */
function some(failing: number, of: number, fields: Partial<Outcome>): readonly Outcome[] {
  return Array.from({ length: of }, (_, index) =>
    index < failing ? makeFailure('timeout', 'timed out', fields) : makeOutcome(fields),
  );
}

describe('localize', () => {
  it('finds the injected causes exactly', () => {
    const worlds = seeds(0, 12).map((seed) => makeWorld(seed, { causes: 1 + (seed % 3), causeRate: () => 0.7 }));
    expect(f1(worlds.map((world) => score(world, run(world))))).toBeGreaterThanOrEqual(0.9);
  });

  it('finds nothing where there is no cause', () => {
    const found = seeds(100, 12).filter((seed) => run(makeWorld(seed)).kind !== 'none');
    expect(found.length).toBeLessThanOrEqual(1);
  });

  it('calls a rise everywhere global', () => {
    const global = seeds(200, 12).filter((seed) => run(makeWorld(seed, { baseRate: 0.15 })).kind === 'global');
    expect(global.length).toBeGreaterThanOrEqual(11);
  });

  it.each([[{}], [{ hasFaultyModel: true }], [{ hasFaultyModel: true, multiplies: true }]])(
    'does not blame a version for an outage in its rollout: %o',
    (options) => {
      const blamed = seeds(0, 20).filter((seed) => {
        const answer = runAnalyzer(makeRollout(seed, options));
        return answer.kind === 'causes' && answer.causes.some(({ where }) => where.tag !== undefined);
      });
      expect(blamed.length).toBeLessThanOrEqual(1);
    },
  );

  it.each([
    [{ isFaulty: true }],
    [{ isFaulty: true, atOnce: true }],
    [{ isFaulty: true, hasFaultyModel: true }],
    [{ hasFaultyModel: true }],
  ])('blames a version or a model that is at fault, outage or not: %o', (options) => {
    const worlds = seeds(0, 6).map((seed) => makeRollout(seed, options));
    expect(f1(worlds.map((world) => score(world, runAnalyzer(world))))).toBeGreaterThanOrEqual(0.9);
  });

  it.each([undefined, 'many', 'rare names', 'late'] as const)(
    'shows both places of a pattern that fail with the same words, with kinds: %s',
    (kinds) => {
      const worlds = seeds(0, 4).map((seed) => makeSharedWords(seed, kinds));
      expect(f1(worlds.map((world) => score(world, runAnalyzer(world))))).toBeGreaterThanOrEqual(0.9);
    },
  );

  it('names the model alone when the model alone explains it, whatever else goes with it', () => {
    const outcomes = ['search', 'read', 'write'].flatMap((tool) => [
      ...some(40, 100, { model: 'haiku', tool, agent: 'reader' }),
      ...some(2, 100, { model: 'sonnet', tool, agent: 'writer' }),
    ]);
    const answer = localize(outcomes, { dimensions: ['model', 'tool'] });
    expect(answer).toMatchObject({ kind: 'causes', causes: [{ where: { model: 'haiku' }, failures: 120, of: 300 }] });
  });

  it('names the pair when each half alone is fine', () => {
    const outcomes = [
      ...some(60, 100, { model: 'haiku', tool: 'search' }),
      ...some(3, 100, { model: 'haiku', tool: 'read' }),
      ...some(3, 100, { model: 'sonnet', tool: 'search' }),
      ...some(3, 100, { model: 'sonnet', tool: 'read' }),
    ];
    const answer = localize(outcomes);
    expect(answer).toMatchObject({ kind: 'causes', causes: [{ where: { model: 'haiku', tool: 'search' } }] });
  });

  it('finds a tag among many', () => {
    const outcomes = [
      ...some(30, 60, { tags: ['beta', 'eu', 'night'] }),
      ...some(3, 60, { tags: ['eu', 'night'] }),
      ...some(3, 60, { tags: ['eu'] }),
    ];
    expect(localize(outcomes)).toMatchObject({ kind: 'causes', causes: [{ where: { tag: 'beta' } }] });
  });

  it('counts an outcome for all those it stands for', () => {
    const outcomes = [
      ...some(20, 20, { model: 'haiku', weight: 1 }),
      ...some(0, 10, { model: 'haiku', weight: 8 }),
      ...some(0, 10, { model: 'sonnet', weight: 10 }),
    ];
    expect(localize(outcomes)).toMatchObject({ causes: [{ where: { model: 'haiku' }, failures: 20, of: 100 }] });
  });

  it('does not take a person pressing stop for a failure', () => {
    const outcomes = [...some(0, 100, { model: 'sonnet' }), ...some(0, 50, { model: 'haiku' })];
    const stopped = seeds(0, 50).map(() => makeFailure('cancelled', 'aborted', { model: 'haiku' }));
    expect(localize([...outcomes, ...stopped])).toEqual({ kind: 'none' });
  });

  it('answers for nothing, for failures only and for hostile values', () => {
    expect(localize([])).toEqual({ kind: 'none' });
    expect(localize(some(50, 50, { model: 'haiku' }))).toEqual({ kind: 'global' });
    const tags = Array.from({ length: 5_000 }, (_, index) => `tag-${index}`);
    expect(localize(some(5, 20, { model: '__proto__', tool: '\ud800', tags })).kind).toBe('global');
  });

  it('does not depend on the order of the outcomes', () => {
    const { outcomes } = makeWorld(3, { causes: 2, outcomes: 500 });
    const sorted = localize(outcomes);
    fc.assert(
      fc.property(fc.shuffledSubarray([...outcomes], { minLength: outcomes.length }), (shuffled) => {
        expect(localize(shuffled)).toEqual(sorted);
      }),
      { numRuns: 3, seed: 1 },
    );
  });
});
