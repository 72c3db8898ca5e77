import { describe, expect, it } from 'vitest';
import { chooseParent } from '../../../integrations/improve/choose-parent.js';
import { Effects } from '../../../integrations/improve/effects.js';
import type { Version } from '../../../integrations/improve/version.js';
import { type VersionTree, versionTree } from '../../../integrations/improve/version-tree.js';
import { seededRandom } from '../../../src/lib/random.js';

const version = (id: string, score: number, ...parents: readonly string[]): Version => ({
  id,
  parents,
  round: 1,
  variant: { name: id },
  parts: [],
  hypotheses: [],
  score,
  runs: 10,
  isKept: false,
});

/** Share of the choices of each version. */
function choices(archive: readonly Version[], count = 2_000): Readonly<Record<string, number>> {
  const random = seededRandom(3);
  const shares: Record<string, number> = {};
  for (let choice = 0; choice < count; choice++) {
    const id = chooseParent(archive, random)?.id ?? '';
    shares[id] = (shares[id] ?? 0) + 1 / count;
  }
  return shares;
}

describe('the parent of new candidates', () => {
  it('is chosen by the scores of its descendants, not by its own', () => {
    const archive = [
      version('start', 0.5),
      version('a', 0.5, 'start'),
      version('b', 0.5, 'start'),
      version('a1', 0.9, 'a'),
      version('b1', 0.1, 'b'),
    ];
    const { a = 0, b = 0, a1 = 0, b1 = 0 } = choices(archive);
    expect(a).toBeGreaterThan(2 * b);
    expect(a1).toBeGreaterThan(10 * b1);
  });

  it('is more often one without children, at equal scores', () => {
    const children = Array.from({ length: 4 }, (_, index) => version(`a${index}`, 0.5, 'a'));
    const { a = 0, b = 0 } = choices([
      version('start', 0.5),
      version('a', 0.5, 'start'),
      version('b', 0.5, 'start'),
      ...children,
    ]);
    expect(b).toBeGreaterThan(3 * a);
    expect(b).toBeLessThan(7 * a);
  });

  it('is the same for the same numbers, and never missing', () => {
    const archive = [version('start', 0.5), version('a', 0.7, 'start'), version('b', 0.6, 'start')];
    const order = () => {
      const random = seededRandom(9);
      return Array.from({ length: 20 }, () => chooseParent(archive, random)?.id);
    };
    expect(order()).toEqual(order());
    expect(new Set(order()).size).toBe(3);
    expect(chooseParent(archive, () => 1)?.id).toBe('b');
  });
});

describe('the tree of versions', () => {
  const shape = (trees: readonly VersionTree[]): unknown =>
    trees.map(({ version: { id }, children }) => (children.length === 0 ? id : [id, shape(children)]));

  it('has every version once, under its first parent in the archive', () => {
    const archive = [
      version('start', 0.5),
      version('a', 0.6, 'start'),
      version('b', 0.6, 'start'),
      version('ab', 0.7, 'b', 'a'),
      version('lost', 0.5, 'gone'),
    ];
    expect(shape(versionTree(archive))).toEqual([['start', ['a', ['b', ['ab']]]], 'lost']);
    expect(versionTree([])).toEqual([]);
  });

  it('ends, even if a damaged log makes a circle', () => {
    expect(shape(versionTree([version('a', 0.5, 'b'), version('b', 0.5, 'a')]))).toEqual([['a', ['b']]]);
    expect(shape(versionTree([version('a', 0.5, 'a')]))).toEqual(['a']);
  });
});

describe('effects of changes', () => {
  const prior = (key: string) => (key === 'base' ? { mean: 0.5, deviation: 0.5 } : { mean: 0, deviation: 0.1 });
  const truth = new Map(
    Array.from({ length: 20 }, (_, index) => [`change ${index}`, index < 3 ? 0.1 : index < 6 ? -0.1 : 0]),
  );

  it('are told apart from runs in which many changes are mixed', () => {
    const effects = new Effects(prior);
    const random = seededRandom(5);
    for (let run = 0; run < 60; run++) {
      const mixed = [...truth].filter(() => random() < 0.5);
      const score = mixed.reduce((sum, [, gain]) => sum + gain, 0.6) + (random() - 0.5) * 0.2;
      effects.observe([['base', 1], ...mixed.map(([key]) => [key, 1] as const)], score, 0.2 ** 2 / 12);
    }
    for (const [key, gain] of truth) {
      expect(Math.abs(effects.mean(key) - gain)).toBeLessThan(4 * effects.deviation(key));
      expect(effects.deviation(key)).toBeLessThan(0.03);
    }
    expect(
      [...truth.keys()]
        .sort((a, b) => effects.mean(b) - effects.mean(a))
        .slice(0, 3)
        .sort(),
    ).toEqual(['change 0', 'change 1', 'change 2']);
  });

  it('are the same in any order of the scores, and the prior before any', () => {
    const scores = [
      [[['base', 1]], 0.5],
      [
        [
          ['base', 1],
          ['a', 1],
        ],
        0.7,
      ],
      [
        [
          ['base', 1],
          ['a', 1],
          ['b', 1],
        ],
        0.6,
      ],
      [
        [
          ['a', 1],
          ['b', -1],
        ],
        0.2,
      ],
    ] as const;
    const means = (all: (typeof scores)[number][]) => {
      const effects = new Effects(prior);
      for (const [terms, value] of all) effects.observe(terms, value, 0.01);
      return ['a', 'b', 'never seen'].map((key) => effects.mean(key));
    };
    const [a = 0, b = 0, c = 1] = means([...scores]);
    for (const [at, mean] of means([...scores].reverse()).entries()) expect(mean).toBeCloseTo([a, b, c][at] ?? 9, 10);
    expect([a > 0.05, b < 0, c]).toEqual([true, true, 0]);
  });
});
