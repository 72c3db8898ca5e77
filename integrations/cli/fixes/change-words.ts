import type { FixDescription, Json, Pattern, Scope } from 'rsi-loop';
import { length, percentOf, whole } from '../terminal/numbers.js';
import { plain } from '../terminal/text.js';

/** Describes a change in words, e.g. `up to 2 more attempts after network, where model is haiku`. */
export function changeWords({ title, settings }: FixDescription): string {
  if (!settings) return plain(title);
  const { set, scope } = settings;
  const { task: _, except = [], ...rest } = scope;
  const words = Object.entries(set).map(([name, value]) => settingWords(name, value));
  const where = Object.keys(rest).length > 0 ? `, where ${placeWords(rest)}` : '';
  const spared = except.length > 0 ? `, but not where ${except.map(placeWords).join(' or ')}` : '';
  return `${words.join(', ')}${where}${spared}`;
}

/** Describes the places of a pattern: `model is haiku and tool is search, or agent is lead`; empty for everywhere. */
export function whereWords(where: Pattern['where']): string {
  return where === 'global' ? '' : where.map(placeWords).join(', or ');
}

function placeWords(place: Omit<Scope, 'except'>): string {
  return Object.entries(place)
    .map(([name, value]) => `${name} is ${plain(String(value))}`)
    .join(' and ');
}

/** Describes one setting in words; returns its name and value if there are none. */
function settingWords(name: string, value: Json): string {
  if (name.startsWith('retries.')) return retryWords(plain(name.slice('retries.'.length)), value);
  if (typeof value === 'number') return NUMBERS[name]?.(value) ?? asItIs(name, value);
  if (name === 'model.order' && Array.isArray(value)) return `asks ${value.map(shown).join(', then ')} first`;
  if (name === 'model.weights' && typeof value === 'object' && value !== null) {
    const shares = Object.entries(value).map(([model, weight]) => `${plain(model)} ${percentOf(Number(weight))} %`);
    return `draws the model it asks first: ${shares.join(', ')}`;
  }
  if (name === 'model.fallback') return value === true ? 'may go on with another model' : 'stays with one model';
  return asItIs(name, value);
}

const NUMBERS: Readonly<Record<string, (value: number) => string>> = {
  'backoff.baseMs': (ms) => `waits up to ${length(ms)} before the second attempt`,
  'backoff.maxMs': (ms) => `waits at most ${length(ms)} between attempts`,
  'timeout.attemptMs': (ms) => (ms === 0 ? 'no time limit for an attempt' : `ends an attempt after ${length(ms)}`),
  'timeout.taskMs': (ms) => (ms === 0 ? 'no time limit for the task' : `ends the task after ${length(ms)}`),
  'limit.concurrency': (count) =>
    count === 0 ? 'any number of calls in parallel' : `at most ${whole(count)} parallel calls`,
  'limit.queue': (count) => `at most ${whole(count)} calls that wait`,
  'limit.spacingMs': (ms) => (ms === 0 ? 'no spacing of calls' : `${length(ms)} between calls`),
  'limit.burst': (count) => `${whole(count)} parallel calls after a pause`,
  'limit.resetMs': (ms) => (ms === 0 ? 'never waits for a reset' : `waits up to ${length(ms)} for an announced reset`),
  'breaker.failures': (count) =>
    count === 0 ? 'no breaker by count' : `pauses after ${whole(count)} failures in a row`,
  'breaker.ratio': (share) => (share === 0 ? 'no breaker by share' : `pauses when ${percentOf(share)} % fail`),
  'breaker.openMs': (ms) => `a pause lasts ${length(ms)}`,
  'input.maxTokens': (count) => (count === 0 ? 'no limit of input' : `cuts input to ${whole(count)} tokens`),
};

function retryWords(issue: string, value: Json): string {
  if (value === 0) return `no further attempt after ${issue}`;
  return value === 1 ? `1 more attempt after ${issue}` : `up to ${shown(value)} more attempts after ${issue}`;
}

function asItIs(name: string, value: Json): string {
  return `${plain(name)} = ${shown(value)}`;
}

function shown(value: Json): string {
  return plain(typeof value === 'string' ? value : JSON.stringify(value));
}
