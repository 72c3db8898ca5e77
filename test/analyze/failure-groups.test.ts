import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../src/analyze/analyzer.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { DAY, makeFailure, START } from './make-outcome.js';

const NOW = START + DAY;
const WORDS = ['alpha', 'bravo', 'delta', 'gamma', 'kappa', 'lambda', 'omega', 'sigma'];

function absorb(analyzer: Analyzer, words: readonly string[], task = 'load'): void {
  analyzer.absorb(
    words.map((word, index) =>
      makeFailure('tool_failure', `the plugin ${word} did not answer the call`, { task, atMs: START + index }),
    ),
  );
}

describe('patterns whose wordings become one', () => {
  it('are one from then on, with all counts, under the id of the first', () => {
    const analyzer = new Analyzer();
    absorb(analyzer, WORDS.slice(0, 3));
    const before = analyzer.patterns(NOW);
    expect(before).toHaveLength(3);
    absorb(analyzer, WORDS.slice(3));
    const after = analyzer.patterns(NOW);
    expect(after).toHaveLength(1);
    expect(after[0]?.count).toBe(WORDS.length);
    expect(after[0]?.template).toBe('the plugin <*> did not answer the call');
    for (const { id } of before) expect(analyzer.resolve(id)).toBe(after[0]?.id);
  });

  it('keep the id of a pattern in a task that never saw the first wording', () => {
    const analyzer = new Analyzer();
    absorb(analyzer, WORDS.slice(0, 3));
    absorb(analyzer, [WORDS[1] ?? ''], 'other');
    const [before] = analyzer.patterns(NOW).filter(({ task }) => task === 'other');
    absorb(analyzer, WORDS.slice(3));
    absorb(analyzer, [WORDS[5] ?? ''], 'other');
    const after = analyzer.patterns(NOW).filter(({ task }) => task === 'other');
    expect(after.map(({ id, count }) => [id, count])).toEqual([[before?.id, 2]]);
  });

  it('are one in every task at once, also for who read them just before', () => {
    const analyzer = new Analyzer();
    const inOther = () => analyzer.patterns(NOW).flatMap(({ task, count }) => (task === 'other' ? [count] : []));
    absorb(analyzer, WORDS.slice(0, 3), 'other');
    expect(inOther()).toEqual([1, 1, 1]);
    absorb(analyzer, WORDS.slice(3));
    expect(inOther()).toEqual([3]);
  });

  it('stay one in an analyzer that goes on from a snapshot', () => {
    const analyzer = new Analyzer();
    absorb(analyzer, WORDS);
    const restored = Analyzer.restore(JSON.parse(JSON.stringify(analyzer.snapshot())));
    absorb(analyzer, WORDS);
    if (restored) absorb(restored, WORDS);
    expect(restored?.patterns(NOW).map(({ id, count }) => [id, count])).toEqual(
      analyzer.patterns(NOW).map(({ id, count }) => [id, count]),
    );
  });
});

describe('the class of a pattern', () => {
  const HINT = 'many requests were sent';
  const knownFor = (...outcomes: readonly Outcome[]) => {
    const analyzer = new Analyzer();
    analyzer.absorb(outcomes);
    const restored = Analyzer.restore(JSON.parse(JSON.stringify(analyzer.snapshot())));
    return [analyzer, restored].map((one) => one?.patterns(NOW)[0]?.isClassKnown);
  };

  it('is known from the status or code of an error whose words only hint at it, after a restart too', () => {
    expect(knownFor(makeFailure('rate_limit', HINT, { error: { message: HINT, status: 429 } }))).toEqual([true, true]);
    const code = { message: HINT, code: 'ECONNRESET' };
    expect(knownFor(makeFailure('network', HINT, { error: code }))).toEqual([true, true]);
  });

  it('is not known from words that only hint at it, or from another status', () => {
    expect(knownFor(makeFailure('rate_limit', HINT))).toEqual([undefined, undefined]);
    const other = { message: HINT, status: 404 };
    expect(knownFor(makeFailure('rate_limit', HINT, { error: other }))).toEqual([undefined, undefined]);
  });
});
