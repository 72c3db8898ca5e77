import { FAILED_ANSWERS } from '../classify/failed-answers.js';
import { DEPLOYMENT_KEYS } from '../contract/deployment.js';
import { LoopError } from '../contract/errors.js';
import { isObject } from '../lib/is-object.js';
import { nearestName } from '../lib/nearest-name.js';
import { showValue } from '../lib/text.js';
import type { RSILoopOptions } from './options.js';

interface Rule {
  readonly fits: (value: unknown) => boolean;
  /** Valid value, with its unit and range, for the error message. */
  readonly expected: string;
}

const number = (expected: string, fits: (value: number) => boolean): Rule => ({
  fits: (value) => typeof value === 'number' && fits(value),
  expected,
});
const withMethods = (expected: string, ...methods: readonly string[]): Rule => ({
  fits: (value) => isObject(value) && methods.every((name) => typeof value[name] === 'function'),
  expected,
});
const object = (expected: string): Rule => ({ fits: isObject, expected });
const positive = (unit: string) => number(`${unit} above 0`, (value) => value > 0 && Number.isFinite(value));

const STORE_PARTS = ['journal', 'ledger', 'snapshots', 'coordination'] as const;

/** Rules for the options of `RSILoop`, one line each. */
const RULES: { readonly [Name in keyof Required<RSILoopOptions>]: Rule } = {
  store: {
    fits: (value) =>
      typeof value === 'string' ? value !== '' : isObject(value) && STORE_PARTS.every((part) => isObject(value[part])),
    expected: "a folder, such as './rsi_data', or a store, such as new FileStore('./rsi_data') of rsi-loop/node",
  },
  policy: object('an object of settings'),
  idempotent: {
    fits: (value) => typeof value === 'boolean' || isTableOfBooleans(value),
    expected: 'true or false for all tasks, or an object such as { fetch_page: true, send_invoice: false }',
  },
  bounds: object('an object of bounds'),
  ownSettings: object('an object of settings of your own'),
  kinds: { fits: isKinds, expected: 'a list of { kind, propose, effect, content, describe }' },
  prompts: withMethods("namedTexts({ 'support.system': { text } }) of rsi-loop/prompts", 'open'),
  autoFix: { fits: (value) => typeof value === 'boolean', expected: 'true or false' },
  gate: withMethods('an object with decide(fix)', 'decide'),
  recurrenceThreshold: number('a whole number of at least 1', (value) => Number.isInteger(value) && value >= 1),
  windowMs: positive('milliseconds'),
  healthHalfLifeMs: positive('milliseconds'),
  healthThreshold: number('a number from 0 to 1', (value) => value >= 0 && value <= 1),
  source: { fits: (value) => typeof value === 'string' && value !== '', expected: 'a text that is not empty' },
  deployment: {
    fits: isDeployment,
    expected: "an object of texts, such as { service: 'checkout', version: '1.4.2', region: 'eu-3', host: 'web-7' }",
  },
  sample: number('a share from 0.001 to 1', (value) => value >= 0.001 && value <= 1),
  acceptedAnswers: {
    fits: (value) => Array.isArray(value) && value.every((kind) => FAILED_ANSWERS.some((known) => known === kind)),
    expected: `a list of ${FAILED_ANSWERS.join(', ')}`,
  },
  rules: { fits: isRules, expected: 'a list of { id, category, pattern: /.../ }' },
  holdout: number('a share from 0 to 0.5', (value) => value >= 0 && value <= 0.5),
  alpha: number('a share above 0 and at most 0.2', (value) => value > 0 && value <= 0.2),
  priceMs: {
    fits: (value) => isPrice(value) || (isObject(value) && Object.values(value).every(isPrice)),
    expected: 'milliseconds from 0, or an object such as { chat: 2_000, nightly_report: 600_000 }',
  },
  smallestGain: {
    fits: (value) =>
      typeof value === 'function' || isGain(value) || (isObject(value) && Object.values(value).every(isGain)),
    expected: 'a number above 0 and below 1, an object such as { fetch_page: 0.02 }, or a function of the fix',
  },
  model: withMethods('a Model, such as those of rsi-loop/models', 'complete', 'health'),
  modelTimeoutMs: number('milliseconds, from 1 to an hour', (value) => value >= 1 && value <= 3_600_000),
  workspace: withMethods('a Workspace, such as new DiskWorkspace(...) of rsi-loop/node', 'read', 'write'),
  ruleFiles: object("an object of file names, such as { AGENTS: 'AGENTS.md' }"),
  ruleWriter: withMethods('an object with name and write(question)', 'write'),
  autoApprove: object('{ confidenceAtLeast, severityAtMost, files }'),
  expireAfterMs: positive('milliseconds'),
  clock: withMethods('an object with now(), monotonic() and after(delayMs, run)', 'now', 'monotonic', 'after'),
  random: { fits: (value) => typeof value === 'function', expected: 'a function that returns numbers in [0, 1)' },
};

/**
 * Checks the options of a loop. Error messages name the value and a valid alternative. @throws LoopError
 * `invalid-input`
 */
export function checkOptions(options: RSILoopOptions): void {
  if (!isObject(options)) {
    throw new LoopError('invalid-input', `the options are ${showValue(options)}: give an object`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(RULES, name)) throw unknownOption(name);
    if (value === undefined) continue;
    const { fits, expected } = RULES[name as keyof typeof RULES]; // the table has it
    if (!fits(value)) throw new LoopError('invalid-input', `${name} is ${showValue(value)}: give ${expected}`);
  }
}

function unknownOption(name: string): LoopError {
  const names = Object.keys(RULES);
  const meant = nearestName(name, names);
  const advice = meant ? `did you mean ${meant}?` : `use one of ${names.join(', ')}`;
  return new LoopError('invalid-input', `unknown option ${showValue(name)}: ${advice}`);
}

function isGain(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value < 1;
}

function isPrice(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value);
}

function isTableOfBooleans(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((one) => typeof one === 'boolean');
}

function isRules(value: unknown): boolean {
  return Array.isArray(value) && value.every((rule) => isObject(rule) && rule.pattern instanceof RegExp);
}

function isDeployment(value: unknown): boolean {
  const isKnown = (name: string) => DEPLOYMENT_KEYS.some((key) => key === name);
  const isName = (name: unknown) => name === undefined || (typeof name === 'string' && name !== '');
  return isObject(value) && Object.entries(value).every(([name, text]) => isKnown(name) && isName(text));
}

function isKinds(value: unknown): boolean {
  const { fits } = withMethods('', 'propose', 'effect', 'content', 'describe');
  return Array.isArray(value) && value.every((kind) => fits(kind) && typeof kind.kind === 'string');
}
