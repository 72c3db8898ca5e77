import { describe, expect, it } from 'vitest';
import { Library } from '../../src/experience/library.js';
import { adviseTemperature } from '../../src/experience/temperature.js';
import { DAY, makeFailure, makeOutcome, START } from '../analyze/make-outcome.js';

function library(...outcomes: Parameters<Library['absorb']>[0]): Library {
  const made = new Library();
  made.absorb(outcomes);
  return made;
}

describe('the library', () => {
  it('keeps each way a task failed once, and each thing that worked', () => {
    const kept = library(
      makeFailure('parse_error', 'Unexpected token', { atMs: START, fingerprint: 'f1', agent: 'writer' }),
      makeFailure('parse_error', 'Unexpected token', { atMs: START + 5, fingerprint: 'f1', agent: 'writer' }),
      makeOutcome({ actual: 'answered with a table', expected: 'a table', model: 'small' }),
      makeOutcome({ context: { approach: 'asked for JSON first', rows: 3 } }),
    ).about({ task: 'api_call' });
    expect(kept).toMatchObject([
      { kind: 'failure', text: 'Unexpected token', count: 2, firstMs: START, lastMs: START + 5, agent: 'writer' },
      { kind: 'success', text: 'approach: asked for JSON first' },
      { kind: 'success', text: 'answered with a table', model: 'small' },
    ]);
  });

  it('says what a failure expected and got, and what helped after a failed attempt', () => {
    const tried = (success: boolean, model: string, issue?: string) => ({
      delayMs: 0,
      durationMs: 1,
      success,
      model,
      ...(issue && { issue }),
    });
    const kept = library(
      makeOutcome({ success: false, issues: ['wrong_output'], expected: '12', actual: '13' }),
      makeOutcome({ attempts: [tried(false, 'small', 'empty_response'), tried(true, 'large')] }),
    ).about({ task: 'api_call' });
    expect(kept.map(({ text }) => text).sort()).toEqual([
      'after empty_response of small, attempt 2 with large worked',
      'expected 12, got 13',
    ]);
  });

  it('keeps nothing of successes without words and of cancelled tasks', () => {
    const kept = library(makeOutcome(), makeFailure('cancelled', 'stopped by hand'));
    expect(kept.about({ task: 'api_call' })).toEqual([]);
    expect(kept.streaks.of('api_call')).toMatchObject({ failures: 0 });
  });

  it('is bounded: what was not seen for longest is forgotten', () => {
    const made = new Library();
    for (let number = 0; number < 5_000; number++) {
      made.absorb([makeFailure('unknown', `failure number ${number}`, { task: `task ${number % 3_000}` })]);
    }
    const { kept, streaks } = made.snapshot();
    expect(kept).toHaveLength(300);
    expect(kept.at(-1)?.[1].text).toBe('failure number 4999');
    expect(streaks.length).toBeLessThanOrEqual(4_000);
    const long = library(makeFailure('unknown', 'x\u202e\u0000 y'.repeat(10_000)));
    expect(long.about({ task: 'api_call' })[0]?.text.length).toBeLessThanOrEqual(400);
    expect(long.about({ task: 'api_call' })[0]?.text).not.toMatch(/\p{Cc}|\p{Cf}/u);
  });

  it('forgets many streaks at once, so that a world of many tasks does not look for the oldest at every outcome', () => {
    const made = new Library();
    for (let number = 0; number <= 4_000; number++) {
      made.absorb([makeFailure('unknown', 'failed', { task: `task ${number}`, atMs: START + number })]);
    }
    expect(made.streaks.snapshot()).toHaveLength(3_501);
    expect(made.streaks.of('task 499')).toBeUndefined();
    expect(made.streaks.of('task 500')).toMatchObject({ failures: 1 });
  });

  it('goes on from what was saved, byte for byte', () => {
    const outcomes = Array.from({ length: 400 }, (_, number) =>
      number % 3
        ? makeFailure('unknown', `failure ${number % 50}`, { fingerprint: `f${number % 50}` })
        : makeOutcome({ actual: `worked ${number}` }),
    );
    const whole = library(...outcomes);
    const half = library(...outcomes.slice(0, 200));
    const restored = Library.restore(JSON.parse(JSON.stringify(half.snapshot())));
    restored.absorb(outcomes.slice(200));
    expect(JSON.stringify(restored.snapshot())).toBe(JSON.stringify(whole.snapshot()));
  });
});

describe('how bold to be', () => {
  const adviceOn = (...outcomes: Parameters<Library['absorb']>[0]) =>
    adviseTemperature(library(...outcomes).streaks.of('api_call'), START + 1);
  const wrong = () => makeFailure('wrong_output', 'no');

  it('rises with failures in a row, up to 0.8, and falls back with a success', () => {
    expect(adviceOn(makeOutcome())).toMatchObject({ kind: 'exploit', temperature: 0.2 });
    expect(adviceOn(wrong())).toMatchObject({ kind: 'explore', temperature: 0.4, failuresInARow: 1 });
    expect(adviceOn(wrong(), wrong())).toMatchObject({ kind: 'explore', temperature: 0.6 });
    expect(adviceOn(wrong(), wrong(), wrong(), wrong())).toMatchObject({ temperature: 0.8, failuresInARow: 4 });
    expect(adviceOn(wrong(), wrong(), makeOutcome())).toMatchObject({ kind: 'exploit', temperature: 0.2 });
  });

  it('is not moved by failures of the surroundings, nor by what is long ago', () => {
    expect(adviceOn(makeOutcome(), makeFailure('rate_limit', '429'), makeFailure('network', 'reset'))).toMatchObject({
      kind: 'exploit',
    });
    expect(adviceOn(makeFailure('timeout', 'late'))).toMatchObject({ kind: 'keep' });
    expect(adviseTemperature({ failures: 3, lastMs: START }, START + 2 * DAY)).toMatchObject({ kind: 'keep' });
  });

  it('is known for each agent of a task apart', () => {
    const made = library(makeFailure('wrong_output', 'no', { agent: 'a' }), makeOutcome({ agent: 'b' }));
    expect(made.streaks.of('api_call', 'a')?.failures).toBe(1);
    expect(made.streaks.of('api_call', 'b')?.failures).toBe(0);
  });
});
