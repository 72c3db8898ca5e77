import { describe, expect, it } from 'vitest';
import type { FixId } from '../../src/contract/ids.js';
import type { Arm } from '../../src/contract/start.js';
import { seededRandom } from '../../src/lib/random.js';
import { live } from '../campaigns/worlds/life.js';

interface TwoModels {
  /** Factor of the fix on the failures of each model. */
  readonly a: number;
  readonly b: number;
  readonly tasks?: number;
}

/** Lives with two models, half of the tasks each, of which 30 % fail without the fix. */
function lives({ a, b, tasks = 3_000 }: TwoModels) {
  return Array.from({ length: 16 }, (_, run) => {
    const random = seededRandom(run * 7919 + 13);
    const taskOf = () => {
      const model = random() < 0.5 ? 'a' : 'b';
      const ratio = model === 'a' ? a : b;
      return {
        scope: { task: 'ask', model },
        end: (arm: Arm) => ({ failed: random() < 0.3 * (arm === 'fix' ? ratio : 1) }),
      };
    };
    const life = live(taskOf, random, { tasks, past: { tasks: 100, failures: 30 }, lookEvery: 20 });
    const except = life.trial.scope.except ?? [];
    const isSpared = (model: string) => life.endedAt !== undefined || except.some((scope) => scope.model === model);
    return { ...life, a: isSpared('a'), b: isSpared('b') };
  });
}

describe('harm per model', () => {
  it('confirms a fix that helps one model for that one, and spares the one that it harms', () => {
    const found = lives({ a: 0.2, b: 1.5 });
    expect(found.filter(({ b }) => b).length).toBeGreaterThanOrEqual(15);
    expect(found.filter(({ a, confirmedAt }) => !a && confirmedAt !== undefined).length).toBeGreaterThanOrEqual(12);
  });

  it('leaves a fix alone that helps both', () => {
    const found = lives({ a: 0.3, b: 0.3, tasks: 2_000 });
    expect(found.filter(({ confirmedAt }) => confirmedAt !== undefined).length).toBe(16);
    expect(found.filter(({ a, b }) => a || b).length).toBeLessThanOrEqual(1);
  });

  it('confirms nothing where a fix does nothing for either', () => {
    const found = lives({ a: 1, b: 1 });
    expect(found.filter(({ confirmedAt }) => confirmedAt !== undefined).length).toBeLessThanOrEqual(2);
  });
});

describe('the figures of a trial', () => {
  it('show each model with both arms, its evidence of harm, and whether it was left out', () => {
    const kinds = lives({ a: 0.2, b: 3 })[0]?.verifier.figures('simulated' as FixId)?.kinds ?? [];
    expect(kinds.map(({ scope }) => scope.model).sort()).toEqual(['a', 'b']);
    const [a, b] = ['a', 'b'].map((model) => kinds.find(({ scope }) => scope.model === model));
    expect(a?.guard).toMatchObject({ isExcluded: false });
    expect(a?.guard?.eHarm).toBeLessThan(1);
    expect(b?.guard).toMatchObject({ isExcluded: true });
    expect(b?.fix.failures).toBeGreaterThan(0);
    expect(kinds.map(({ guard }) => guard?.needed)).toEqual([40, 120]);
  });
});

describe('a model that few tasks use', () => {
  /** Confirms within some hundred tasks, of which the rare model has one in ten. */
  const rare = (times: number, run: number) => {
    const random = seededRandom(run * 7919 + 13);
    const taskOf = () => {
      const model = random() < 0.1 ? 'rare' : 'usual';
      const ratio = model === 'rare' ? times : 0.1;
      return {
        scope: { task: 'ask', model },
        end: (arm: Arm) => ({ failed: random() < 0.3 * (arm === 'fix' ? ratio : 1) }),
      };
    };
    return live(taskOf, random, { tasks: 4_000, past: { tasks: 100, failures: 30 }, lookEvery: 20 });
  };

  it('is spared if the fix doubles its failures, though the fix is confirmed before that shows', () => {
    const found = Array.from({ length: 8 }, (_, run) => rare(2, run));
    expect(
      found.filter(({ trial }) => trial.scope.except?.some(({ model }) => model === 'rare')).length,
    ).toBeGreaterThan(6);
    expect(found.filter(({ endedAt }) => endedAt !== undefined)).toEqual([]);
  });

  it('has even arms only until the fix is shown to help it', () => {
    const found = Array.from({ length: 8 }, (_, run) => rare(0.1, run));
    expect(found.filter(({ trial }) => trial.doubted || trial.scope.except).length).toBeLessThanOrEqual(1);
    expect(found.filter(({ confirmedAt }) => confirmedAt === undefined)).toEqual([]);
  });
});

describe('harm per program', () => {
  const ALL = { agent: 'a', service: 'web', version: '1', region: 'eu', host: 'h' };

  it.for(['agent', 'service', 'version', 'region', 'host'] as const)('spares the %s that the fix harms', (field) => {
    const found = Array.from({ length: 4 }, (_, run) => {
      const random = seededRandom(run * 7919 + 13);
      const taskOf = () => {
        const isBad = random() < 0.5;
        // Facts that are the same for all tasks cost no evidence.
        const scope = { task: 'ask', ...ALL, [field]: isBad ? 'bad' : 'good' };
        return { scope, end: (arm: Arm) => ({ failed: random() < 0.3 * (arm === 'fix' ? (isBad ? 3 : 0.2) : 1) }) };
      };
      return live(taskOf, random, { tasks: 3_000, past: { tasks: 100, failures: 30 }, lookEvery: 20 });
    });
    for (const { confirmedAt, trial } of found) {
      expect(confirmedAt).toBeDefined();
      expect(trial.scope.except).toEqual([{ [field]: 'bad' }]);
    }
  });

  it('spares a tag that the fix harms, never the tasks without a tag', () => {
    const found = [true, false].map((isTagBad) => {
      const random = seededRandom(13);
      const taskOf = () => {
        const isTagged = random() < 0.5;
        const scope = { task: 'ask', ...(isTagged && { 'feature.tag:beta': 'yes' }) };
        const ratio = isTagged === isTagBad ? 3 : 0.2;
        return { scope, end: (arm: Arm) => ({ failed: random() < 0.3 * (arm === 'fix' ? ratio : 1) }) };
      };
      return live(taskOf, random, { tasks: 2_000, past: { tasks: 100, failures: 30 }, lookEvery: 20 });
    });
    expect(found[0]?.trial.scope.except).toEqual([{ 'feature.tag:beta': 'yes' }]);
    expect(found[0]?.confirmedAt).toBeDefined();
    expect(found[1]?.trial.scope.except ?? []).toEqual([]);
    expect(found[1]?.confirmedAt).toBeUndefined();
  });

  it('confirms nothing that does nothing, among many facts without meaning', () => {
    const found = Array.from({ length: 8 }, (_, run) => {
      const random = seededRandom(run * 104_729 + 7);
      const either = () => (random() < 0.5 ? 'a' : 'b');
      const taskOf = () => ({
        scope: { task: 'ask', agent: either(), service: either(), version: either(), region: either(), host: either() },
        end: () => ({ failed: random() < 0.3 }),
      });
      return live(taskOf, random, { tasks: 2_000, past: { tasks: 100, failures: 30 }, lookEvery: 20 });
    });
    expect(found.filter(({ confirmedAt }) => confirmedAt !== undefined).length).toBeLessThanOrEqual(1);
  });
});

describe('harm per feature', () => {
  /** Lives with a language and features that mean nothing. */
  function languages({ de, en, noise = 0 }: { readonly de: number; readonly en: number; readonly noise?: number }) {
    return Array.from({ length: 16 }, (_, run) => {
      const random = seededRandom(run * 7919 + 13);
      const taskOf = () => {
        const others = Array.from({ length: noise }, (_, index) => [`feature.n${index}`, random() < 0.5 ? 'a' : 'b']);
        const language = random() < 0.5 ? 'de' : 'en';
        const scope = { task: 'ask', ...Object.fromEntries(others), 'feature.language': language };
        const ratio = language === 'de' ? de : en;
        return { scope, end: (arm: Arm) => ({ failed: random() < 0.3 * (arm === 'fix' ? ratio : 1) }) };
      };
      const life = live(taskOf, random, { tasks: 3_000, past: { tasks: 100, failures: 30 }, lookEvery: 20 });
      return { ...life, except: life.trial.scope.except ?? [] };
    });
  }

  it('confirms a fix for the language that it helps, also among features without meaning', () => {
    for (const noise of [0, 7]) {
      const found = languages({ de: 0.2, en: 3, noise });
      const isFound = ({ confirmedAt, except }: (typeof found)[number]) =>
        confirmedAt !== undefined && except.some((scope) => scope['feature.language'] === 'en');
      expect(found.filter(isFound).length).toBeGreaterThanOrEqual(14);
    }
  });

  it('excludes nothing where features mean nothing, and confirms nothing where the fix does nothing', () => {
    const helped = languages({ de: 0.3, en: 0.3, noise: 7 });
    expect(helped.filter(({ confirmedAt }) => confirmedAt !== undefined).length).toBe(16);
    expect(helped.filter(({ except }) => except.length > 0).length).toBeLessThanOrEqual(1);
    const harmful = languages({ de: 2, en: 2, noise: 7 });
    expect(
      harmful.filter(({ endedAt, confirmedAt }) => endedAt !== undefined && confirmedAt === undefined).length,
    ).toBe(16);
    const useless = languages({ de: 1, en: 1, noise: 7 });
    expect(useless.filter(({ confirmedAt }) => confirmedAt !== undefined).length).toBeLessThanOrEqual(2);
  });

  it('counts both arms for each value', () => {
    const [life] = languages({ de: 0.3, en: 0.3 });
    const kinds = life?.verifier.figures('simulated' as FixId)?.kinds ?? [];
    expect(kinds.map(({ scope }) => scope['feature.language']).sort()).toEqual(['de', 'en']);
    for (const { fix, control } of kinds) {
      expect(fix.tasks).toBeGreaterThan(100);
      expect(control.failures).toBeGreaterThan(10);
    }
  });
});
