import { describe, expect, it } from 'vitest';
import type { Settings } from '../../src/contract/settings.js';
import type { ModelStatistics } from '../../src/contract/task-statistics.js';
import { wilsonRate } from '../../src/lib/statistics.js';
import { model, offers, setsOf } from './offers.js';

describe('another model of the list', () => {
  const entry = 'next-listed-model';
  const models = (parts: Partial<ModelStatistics> = {}, others: readonly ModelStatistics[] = []) => [
    model('a', 20, 100, { listedBeside: ['b', 'c'], ...parts }),
    ...others,
  ];

  it('is tried first where the first one fails lately, each listed one in turn', () => {
    expect(offers(entry, {}, { task: { models: models() } })).toMatchObject([
      { scope: { model: 'a' }, set: { 'model.order': ['b'] }, safe: true },
      { scope: { model: 'a' }, set: { 'model.order': ['c'] }, safe: true },
    ]);
  });

  it('is not tried before 20 tasks, for few failures, without a list, or for a small part of the failures', () => {
    const none = (parts: Partial<ModelStatistics>) => offers(entry, {}, { task: { models: models(parts) } });
    expect(none({ wantedLately: { value: 0.5, of: 19 } })).toEqual([]);
    expect(none({ wantedLately: { value: 0.5, of: 20 } })).toHaveLength(2);
    expect(none({ wantedLately: { value: 0.05, of: 100 } })).toEqual([]);
    expect(none({ listedBeside: [] })).toEqual([]);
    const rate = wilsonRate(5, 100);
    expect(offers(entry, { rate }, { task: { models: models(), failures: 20 } })).toHaveLength(2);
    expect(offers(entry, { rate }, { task: { models: models(), failures: 21 } })).toEqual([]);
  });

  it('is left out if it is known to be no better', () => {
    const sets = (b: ModelStatistics) => setsOf(entry, {}, { task: { models: models({}, [b]) } });
    expect(sets(model('b', 20, 100))).toEqual([{ 'model.order': ['c'] }]);
    expect(sets(model('b', 19, 100))).toHaveLength(2);
    expect(sets(model('b', 19, 19))).toHaveLength(2);
    expect(sets(model('b', 20, 20))).toEqual([{ 'model.order': ['c'] }]);
  });

  it('is left out once it failed more of 100 first calls than the one that is asked first', () => {
    const sets = (ofB: number, failedB: number) => {
      const asked = [
        { model: 'a', value: 0.5, of: 100 },
        { model: 'b', value: failedB, of: ofB },
      ];
      return setsOf(entry, {}, { task: { models: models({ asked, wantedLately: { value: 0.5, of: 100 } }) } });
    };
    expect(sets(100, 0.5)).toEqual([{ 'model.order': ['c'] }]);
    expect(sets(100, 0.49)).toHaveLength(2);
    expect(sets(99, 0.55)).toHaveLength(2);
  });

  it('is chosen after a first look at each of several others, or after 100 first calls without one', () => {
    const sets = (ofA: number, ofC: number) => {
      const asked = [
        { model: 'a', value: 0.5, of: ofA },
        { model: 'b', value: 0.5, of: 20 },
        { model: 'c', value: 0.25, of: ofC },
      ];
      return setsOf(entry, {}, { task: { models: models({ asked, wantedLately: { value: 0.5, of: 50 } }) } });
    };
    expect(sets(99, 19)).toEqual([]);
    expect(sets(99, 20)).toEqual([{ 'model.order': ['c'] }, { 'model.order': ['b'] }]);
    expect(sets(100, 19)).toHaveLength(2);
  });

  it('is left out if it is unlikely to be better, or if an order in force was chosen instead of it', () => {
    const sets = (failedC: number, settings: Settings = {}) => {
      const asked = [
        { model: 'a', value: 0.5, of: 60 },
        { model: 'b', value: 0.4, of: 60 },
        { model: 'c', value: failedC, of: 30 },
      ];
      return setsOf(
        entry,
        {},
        { task: { models: models({ asked, wantedLately: { value: 0.45, of: 60 } }) }, settings },
      );
    };
    expect(sets(0.6)).toEqual([{ 'model.order': ['b'] }]);
    expect(sets(0.5)).toHaveLength(2);
    // The first one may have been good until lately.
    const degraded = { wantedLately: { value: 0.6, of: 60 } };
    const before = [
      { model: 'a', value: 0.04, of: 90 },
      { model: 'b', value: 0.2, of: 90 },
    ];
    const task = { models: models({ asked: before, listedBeside: ['b'], ...degraded }) };
    expect(setsOf(entry, {}, { task })).toEqual([{ 'model.order': ['b'] }]);
    expect(sets(0.4, { 'model.order': ['b'] })).toEqual([{ 'model.order': ['c'] }]);
  });

  it('replaces the one that is asked first now: by weight, by order, else the first of the list', () => {
    const unknown = models({ rate: wilsonRate(2, 10) });
    const sets = (settings: Settings) => setsOf(entry, {}, { task: { models: unknown }, settings });
    expect(sets({ 'model.order': ['b'] })).toEqual([{ 'model.order': ['a'] }, { 'model.order': ['c'] }]);
    expect(sets({ 'model.weights': { b: 0.2, c: 0.8 } })).toEqual([
      { 'model.order': ['a'], 'model.weights': {} },
      { 'model.order': ['b'], 'model.weights': {} },
    ]);
    expect(sets({ 'model.weights': { x: 1 }, 'model.order': ['c'] })).toEqual([
      { 'model.order': ['a'], 'model.weights': {} },
      { 'model.order': ['b'], 'model.weights': {} },
    ]);
  });

  it('is not tried where the failures belong to a model that is not asked first', () => {
    const task = { models: models() };
    expect(offers(entry, { where: [{ model: 'b' }] }, { task })).toEqual([]);
    expect(offers(entry, { where: [{ model: 'a' }] }, { task })).toHaveLength(2);
    expect(offers(entry, { where: [{ tool: 'search' }] }, { task })).toHaveLength(2);
  });
});

describe('a better model', () => {
  const entry = 'better-model';

  it('needs 20 calls of each, and tasks that ask for the worse one', () => {
    expect(offers(entry, {}, { task: { models: [model('a', 20, 20), model('b', 0, 20)] } })).toHaveLength(1);
    expect(offers(entry, {}, { task: { models: [model('a', 20, 20), model('b', 0, 19)] } })).toEqual([]);
    const fallback = model('a', 60, 60, { wanted: wilsonRate(0, 19) });
    expect(offers(entry, {}, { task: { models: [fallback, model('b', 0, 60)] } })).toEqual([]);
    expect(offers(entry, {}, { task: { models: [model('a', 60, 60)] } })).toEqual([]);
    expect(offers(entry, {}, { task: { models: [] } })).toEqual([]);
  });

  it('is the best of all, for the worst of all', () => {
    const models = [model('b', 20, 100), model('c', 1, 100), model('a', 60, 100), model('d', 9, 100)];
    expect(offers(entry, {}, { task: { models } })).toMatchObject([
      { scope: { model: 'a' }, set: { 'model.order': ['c'] }, safe: true },
    ]);
  });

  it('replaces the weights in force, if there are any', () => {
    const models = [model('a', 60, 100), model('b', 1, 100)];
    const sets = (settings: Settings) => setsOf(entry, {}, { task: { models }, settings });
    expect(sets({})).toEqual([{ 'model.order': ['b'] }]);
    expect(sets({ 'model.weights': { b: 1 } })).toEqual([{ 'model.order': ['b'], 'model.weights': {} }]);
  });

  it('is no remedy where the failures are those of a third model', () => {
    const task = { models: [model('a', 60, 100), model('b', 1, 100)] };
    expect(offers(entry, { where: [{ model: 'b' }] }, { task })).toEqual([]);
    expect(offers(entry, { where: [{ model: 'a' }] }, { task })).toHaveLength(1);
    expect(offers(entry, { where: [{ tool: 'search' }] }, { task })).toEqual([]);
  });
});

describe('behind a fallback', () => {
  const asked = (failedA: number, failedB: number) => [
    { model: 'a', value: failedA, of: 100 },
    { model: 'b', value: failedB, of: 100 },
  ];
  const worse = model('a', 3, 200, { listedBeside: ['b'], asked: asked(0.5, 0.1) });
  const alike = model('a', 3, 200, { listedBeside: ['b'], asked: asked(0.4, 0.3) });
  const of = (entry: string, one: ModelStatistics, settings: Settings = {}) =>
    offers(entry, {}, { task: { models: [one] }, settings });

  it('every trial of an order or of weights counts first calls, because the second model hides which one fails', () => {
    expect(of('better-model', worse)).toMatchObject([{ atMost: { calls: 1 }, failing: 0.5 }]);
    expect(of('lean-to-better-models', alike)).toMatchObject([{ atMost: { calls: 1 }, failing: 0.35 }]);
    const without = { 'model.fallback': false };
    expect(of('better-model', worse, without)[0]).not.toHaveProperty('atMost');
    expect(of('lean-to-better-models', alike, without)[0]).not.toHaveProperty('atMost');
  });

  it('no weights are a step back from an order that asks the best model first', () => {
    expect(of('lean-to-better-models', alike, { 'model.order': ['b'] })).toEqual([]);
    expect(of('lean-to-better-models', alike, { 'model.order': ['a'] })).toHaveLength(1);
  });
});

describe('weights of models', () => {
  const entry = 'lean-to-better-models';

  it('need 60 calls of each compared model, no weights in force, and a lean', () => {
    const leaning = [model('a', 9, 60), model('b', 4, 60)];
    expect(offers(entry, {}, { task: { models: leaning } })).toHaveLength(1);
    expect(offers(entry, {}, { task: { models: leaning }, settings: { 'model.weights': { a: 1 } } })).toEqual([]);
    expect(offers(entry, {}, { task: { models: [model('a', 9, 60), model('b', 4, 59)] } })).toEqual([]);
    expect(offers(entry, {}, { task: { models: [model('a', 9, 60)] } })).toEqual([]);
    expect(offers(entry, {}, { task: { models: [model('a', 5, 60), model('b', 5, 60)] } })).toEqual([]);
    expect(offers(entry, {}, { task: { models: [...leaning, model('c', 1, 19)] } })).toHaveLength(1);
    expect(offers(entry, {}, { task: { models: [...leaning, model('c', 1, 20)] } })).toEqual([]);
  });
});

describe('weights of models that fail about as often', () => {
  it('are not worth a trial, however many calls tell them apart', () => {
    const of = (failuresB: number) =>
      offers('lean-to-better-models', {}, { task: { models: [model('a', 210, 1_000), model('b', failuresB, 1_000)] } });
    expect(of(195)).toEqual([]);
    expect(of(175)).toHaveLength(1);
  });
});

describe('weights of three models', () => {
  it('are proposed if one of them leans, and name the figures of each', () => {
    const models = [model('a', 6, 100), model('b', 14, 100), model('c', 8, 100)];
    const [found] = offers('lean-to-better-models', {}, { task: { models } });
    expect(found).toMatchObject({
      safe: true,
      reason: expect.stringContaining('a fails 6.0 % of 100, b fails 14 % of 100'),
    });
  });
});

describe('fallback to the next model', () => {
  const entry = 'allow-fallback';
  const settings = { 'model.fallback': false };
  const listed = [model('a', 5, 10, { listedBeside: ['b'] })];

  it('is proposed where it is off, several models are listed and another one may help', () => {
    const pattern = { issue: 'overloaded' } as const;
    expect(offers(entry, pattern, { task: { models: listed }, settings })).toMatchObject([
      { set: { 'model.fallback': true }, safe: false, reason: expect.stringContaining('callers list 2 models') },
    ]);
    expect(offers(entry, pattern, { task: { models: listed } })).toEqual([]);
    expect(offers(entry, pattern, { task: { models: [model('a', 5, 10)] }, settings })).toEqual([]);
    expect(offers(entry, { issue: 'permission' }, { task: { models: listed }, settings })).toEqual([]);
  });
});

describe('another model for slow or costly tasks', () => {
  const entry = 'other-model-for-slow-or-costly';
  const slow = { kind: 'slow', issue: 'slow_response', where: [{ model: 'a' }] } as const;
  const usual = { p90Ms: 900 };

  it('is the best known one beside, with 20 calls', () => {
    const models = [model('a', 0, 60), model('b', 9, 60), model('c', 1, 60), model('d', 0, 19)];
    expect(offers(entry, slow, { task: { models, usual } })).toMatchObject([
      { scope: { model: 'a' }, set: { 'model.order': ['c'] }, atMost: { durationMs: 900 } },
    ]);
    expect(offers(entry, slow, { task: { models: [model('a', 0, 60), model('d', 0, 20)], usual } })).toHaveLength(1);
    expect(offers(entry, slow, { task: { models: [model('a', 0, 60), model('d', 0, 19)], usual } })).toEqual([]);
  });

  it('needs a model that is at fault and a measure from before', () => {
    const models = [model('a', 0, 60), model('b', 0, 60)];
    const costly = { ...slow, kind: 'costly', issue: 'cost_overrun' } as const;
    expect(offers(entry, costly, { task: { models, usual: { p90Usd: 0.02 } } })[0]?.atMost).toEqual({ costUsd: 0.02 });
    expect(offers(entry, costly, { task: { models, usual } })).toEqual([]);
    expect(offers(entry, costly, { task: { models } })).toEqual([]);
    expect(offers(entry, { ...slow, kind: 'low-quality' }, { task: { models, usual } })).toEqual([]);
    expect(offers(entry, { ...slow, where: 'global' }, { task: { models, usual } })).toEqual([]);
    expect(offers(entry, slow, { task: { models, usual: { p90Usd: 1 } } })).toEqual([]);
    expect(offers(entry, slow, { task: { models } })).toEqual([]);
    expect(offers(entry, { ...slow, kind: 'failure' }, { task: { models, usual } })).toEqual([]);
  });
});
