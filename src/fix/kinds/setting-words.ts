import type { PolicyChange } from '../../contract/change.js';
import type { Json } from '../../contract/json.js';
import { fieldName, type Scope } from '../../contract/scope.js';

/** Describes a change of settings, e.g. `up to 2 more attempts after network, where model is haiku`. */
export function settingsInWords({ set, scope }: Pick<PolicyChange, 'set' | 'scope'>): string {
  const words = Object.entries(set).map(([name, value]) => settingWords(name, value));
  return `${words.join(', ')}${scopeInWords(scope)}`;
}

/** Describes for which tasks of its name a change applies, e.g. `, but not where language is de`; empty for all. */
export function scopeInWords({ task: _, except = [], ...rest }: Scope): string {
  const where = Object.keys(rest).length > 0 ? `, where ${placeWords(rest)}` : '';
  const spared = except.length > 0 ? `, but not where ${except.map(placeWords).join(' or ')}` : '';
  return `${where}${spared}`;
}

/** Describes one place: `model is haiku and tool is search`. */
function placeWords(place: Omit<Scope, 'except'>): string {
  return Object.entries(place)
    .map(([name, value]) => `${fieldName(name)} is ${value}`)
    .join(' and ');
}

/** Describes one setting in words; returns its name and value if there are none. */
function settingWords(name: string, value: Json): string {
  if (name.startsWith('retries.')) return retryWords(name.slice('retries.'.length), value);
  if (typeof value === 'number') return NUMBERS[name]?.(value) ?? asItIs(name, value);
  if (name === 'model.order' && Array.isArray(value)) return `asks ${value.map(shownNumber).join(', then ')} first`;
  if (name === 'model.weights' && typeof value === 'object' && value !== null) {
    const shares = Object.entries(value).map(([model, weight]) => `${model} ${percentOf(Number(weight))} %`);
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
    count === 0 ? 'any number of calls in parallel' : `at most ${shownNumber(count)} parallel calls`,
  'limit.queue': (count) => `at most ${shownNumber(count)} calls that wait`,
  'limit.spacingMs': (ms) => (ms === 0 ? 'no spacing of calls' : `${length(ms)} between calls`),
  'limit.burst': (count) => `${shownNumber(count)} parallel calls after a pause`,
  'limit.resetMs': (ms) => (ms === 0 ? 'never waits for a reset' : `waits up to ${length(ms)} for an announced reset`),
  'breaker.failures': (count) =>
    count === 0 ? 'no breaker by count' : `pauses after ${shownNumber(count)} failures in a row`,
  'breaker.ratio': (share) => (share === 0 ? 'no breaker by share' : `pauses when ${percentOf(share)} % fail`),
  'breaker.openMs': (ms) => `a pause lasts ${length(ms)}`,
  'context.maxMessages': (count) =>
    count === 0 ? 'sends all messages' : `sends the newest ${shownNumber(count)} messages`,
  'context.compactTokens': (count) => (count === 0 ? 'never compacts' : `compacts at ${shownNumber(count)} tokens`),
  'recall.k': (count) => `recalls ${shownNumber(count)} items`,
  'recall.minScore': (score) => `recalls items with a similarity from ${shownNumber(score)}`,
  'output.maxTokens': (count) =>
    count === 0 ? 'no limit of the answer' : `answers of at most ${shownNumber(count)} tokens`,
  'watch.silenceMs': (ms) => `stops a run after ${length(ms)} without a call that ended`,
  'watch.repeats': (count) => `stops a loop after ${shownNumber(count)} repetitions`,
  'watch.errors': (count) => `stops a run after ${shownNumber(count)} failed calls in a row`,
  'watch.nothingNew': (count) => `stops a run after ${shownNumber(count)} calls without a new result`,
  'input.maxTokens': (count) => (count === 0 ? 'no limit of input' : `cuts input to ${shownNumber(count)} tokens`),
};

function retryWords(issue: string, value: Json): string {
  if (value === 0) return `no further attempt after ${issue}`;
  return value === 1 ? `1 more attempt after ${issue}` : `up to ${shownNumber(value)} more attempts after ${issue}`;
}

function asItIs(name: string, value: Json): string {
  return `${name} = ${shownNumber(value)}`;
}

function shownNumber(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Formats a share in per cent, with a decimal place if it matters. */
function percentOf(share: number): string {
  const value = share * 100;
  if (value === 0 || value >= 9.95) return value.toFixed(0);
  return value >= 0.095 ? value.toFixed(1) : value.toPrecision(1);
}

/** Formats a duration: `250 ms`, `1.9 s`, `2 min`, `1.5 h`. */
function length(ms: number): string {
  const short = (value: number) => String(Number(value.toPrecision(3)));
  if (ms < 1_000) return `${short(ms)} ms`;
  if (ms < 120_000) return `${short(ms / 1_000)} s`;
  return ms < 2 * 3_600_000 ? `${short(ms / 60_000)} min` : `${short(ms / 3_600_000)} h`;
}
