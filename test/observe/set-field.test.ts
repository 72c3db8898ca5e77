import { describe, expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import { type Draft, setField } from '../../src/observe/set-field.js';

const draft = (): Draft => ({ id: 'id' as OutcomeId, atMs: 0, task: 't', success: false, source: 's', issues: [] });

/** Sets a field of a draft. Returns whether that was accepted, and the draft. */
function set(key: string, value: unknown): readonly [boolean, Draft] {
  const changed = draft();
  return [setField(changed, key, value), changed];
}

describe('a field of an outcome', () => {
  it.each([
    ['session', 'morning'],
    ['agent', 'planner'],
    ['model', 'sonnet'],
    ['tool', 'search'],
    ['durationMs', 120],
    ['tokens', { input: 3, output: 4 }],
    ['costUsd', 0.5],
    ['quality', 5],
    ['atMs', 1_700_000_000_000],
    ['tags', ['nightly']],
    ['endsSession', true],
    ['severity', 'high'],
    ['context', { region: 'eu' }],
  ])('is set by the caller, and nothing else is: %s', (key, value) => {
    expect(set(key, value)).toEqual([true, { ...draft(), [key]: value }]);
  });

  it.each([
    ['id', 'other'],
    ['task', 'other'],
    ['fingerprint', 'f'],
    ['managed', true],
    ['repeatable', true],
    ['models', ['sonnet']],
    ['weight', 50],
  ])('is not set by the caller if it belongs to the loop: %s', (key, value) => {
    expect(set(key, value)).toEqual([false, draft()]);
  });

  it.each([
    ['success', true],
    ['error', { message: 'boom' }],
    ['error', 'boom'],
  ])('is not set alone if others depend on it: %s', (key, value) => {
    expect(set(key, value)).toEqual([false, draft()]);
  });

  it.each([
    ['model', { name: 'sonnet' }],
    ['durationMs', '120'],
    ['durationMs', -1],
    ['costUsd', Number.NaN],
    ['quality', 6],
    ['endsSession', 1],
    ['unknown', 1],
    ['constructor', 'a'],
    ['__proto__', { a: 1 }],
    ['toString', 'a'],
  ])('is not set if its name or the type of its value is wrong: %s', (key, value) => {
    expect(set(key, value)).toEqual([false, draft()]);
  });
});
