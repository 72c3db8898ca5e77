import { describe, expect, it } from 'vitest';
import { checkOptions } from '../../src/live/check-options.js';
import type { RSILoopOptions } from '../../src/live/options.js';

/** Checks options as an untyped host gives them. */
const check = (name: string, value: unknown) => () => checkOptions({ [name]: value } as RSILoopOptions);
const part = (...methods: readonly string[]) => Object.fromEntries(methods.map((method) => [method, () => {}]));
const STORE = { journal: {}, ledger: {}, snapshots: {}, coordination: {} };
const KIND = { kind: 'my-kind', ...part('propose', 'effect', 'content', 'describe') };
const MODEL = part('complete', 'health');

/** By option: values at the edges of what is valid, and values just beyond. */
const EDGES: Readonly<Record<keyof RSILoopOptions, readonly [fits: readonly unknown[], not: readonly unknown[]]>> = {
  store: [
    ['./rsi_data', STORE],
    ['', 7, null, [], {}, { ...STORE, ledger: undefined }, { ...STORE, journal: 'x' }],
  ],
  policy: [
    [{}, { 'retries.network': 1 }],
    [[], null, 'fast', 1],
  ],
  idempotent: [
    [true, false, {}, { a: true, b: false }],
    ['yes', 1, null, [true], { a: 'yes' }, { a: true, b: 1 }],
  ],
  bounds: [[{}], [[], null]],
  ownSettings: [[{}], [[], 'x']],
  kinds: [
    [[], [KIND]],
    [KIND, [{ ...KIND, kind: 7 }], [{ ...KIND, effect: 1 }], [null], 'x'],
  ],
  prompts: [[part('open')], [{}, { system: { text: 'x' } }, 'x', () => {}]],
  autoFix: [
    [true, false],
    ['no', 0, null],
  ],
  gate: [[part('decide')], [() => {}, {}, null]],
  recurrenceThreshold: [
    [1, 3],
    [0, 1.5, '3', Number.NaN],
  ],
  windowMs: [
    [0.5, 1_000],
    [0, -1, Number.POSITIVE_INFINITY, '7d'],
  ],
  healthHalfLifeMs: [[1], [0, '1']],
  healthThreshold: [
    [0, 0.5, 1],
    [-0.01, 1.01, '1'],
  ],
  source: [['ci'], ['', 7]],
  deployment: [
    [{}, { service: 'checkout', version: '1.4.2', region: undefined }],
    [{ zone: 'eu' }, { version: 2 }, { host: '' }, [], 'eu'],
  ],
  sample: [
    [0.001, 1],
    [0, 1.1, '1'],
  ],
  acceptedAnswers: [
    [[], ['refusal', 'not-ok']],
    ['refusal', ['refusals'], [1], null],
  ],
  rules: [
    [[], [{ id: 'a', category: 'auth', pattern: /x/ }]],
    [{}, [{ pattern: 'x' }], ['x'], [null]],
  ],
  holdout: [
    [0, 0.5],
    [-0.01, 0.51, Number.NaN],
  ],
  alpha: [
    [0.001, 0.2],
    [0, 0.201],
  ],
  priceMs: [
    [0, 20_000, {}, { chat: 2_000 }],
    [-1, Number.NaN, '20 s', null, [1], { chat: -5 }],
  ],
  smallestGain: [
    [0.02, {}, { ask: 0.1 }, () => 0.1],
    [0, 1, '5 %', null, [0.1], { ask: 5 }],
  ],
  model: [[MODEL], [part('complete'), part('health'), 'gpt']],
  modelTimeoutMs: [
    [1, 3_600_000],
    [0.9, 3_600_001, '1'],
  ],
  workspace: [[part('read', 'write')], [part('read'), part('write')]],
  ruleFiles: [[{ AGENTS: 'AGENTS.md' }], [[], 'AGENTS.md']],
  ruleWriter: [[part('write')], [{}, 'x']],
  autoApprove: [[{}], [true, []]],
  expireAfterMs: [[1], [0]],
  clock: [[part('now', 'monotonic', 'after')], [Date, part('now', 'monotonic'), part('now', 'after'), part('after')]],
  random: [[Math.random], [4, {}]],
};

describe.each(Object.entries(EDGES))('the option %s', (name, [fits, not]) => {
  it('takes each valid value, and undefined', () => {
    for (const value of [...fits, undefined]) expect(check(name, value)).not.toThrow();
  });

  it('refuses each other value with the value and what to give', () => {
    for (const value of not) expect(check(name, value)).toThrow(new RegExp(`^${name} is .+: give .+`));
  });
});

it('of another name is refused with the name that was meant, or with all names', () => {
  expect(check('autofix', true)).toThrow('unknown option "autofix": did you mean autoFix?');
  expect(check('colour', 'blue')).toThrow(`unknown option "colour": use one of ${Object.keys(EDGES).join(', ')}`);
  expect(check('toString', 1)).toThrow('unknown option "toString"');
});

it.for([[null], ['fast'], [[]]])('are an object, not %j', ([options]) => {
  expect(() => checkOptions(options as never)).toThrow(/^the options are .+: give an object$/);
});
