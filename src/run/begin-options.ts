import { DEPLOYMENT_KEYS, type Deployment } from '../contract/deployment.js';
import { type FeatureKey, isFeatureKey, type Scope, TAG_PREFIX } from '../contract/scope.js';
import { isObject } from '../lib/is-object.js';
import { readableFields } from '../lib/readable.js';
import { showValue } from '../lib/text.js';
import { describeThrown, type Report } from './problem.js';

/** Options of a task. `service`, `version`, `region` and `host` name the program it runs in. Default: `deployment` of the loop. */
export interface BeginOptions extends Deployment {
  /** Id of the outcome. Must be unused. Default: a new id. */
  readonly id?: string;
  /** Tasks of one session get the same rules. Default: the session of the enclosing task. */
  readonly session?: string;
  /** Model that the task calls first. */
  readonly model?: string;
  /** Models that the task may call, best first. Two or more mean that the task may run again with the next one. */
  readonly models?: readonly string[];
  /** Whether the task may run again after a failure. Default: the loop's setting, else only if a person allowed it. */
  readonly idempotent?: boolean;
  readonly tool?: string;
  /** Default: the source given to the loop. */
  readonly source?: string;
  readonly agent?: string;
  /**
   * Facts about the request that are known before the task, e.g. `{ language: 'de', length: 'long' }`: at most 8 names,
   * each with a few values. A change that helps some values only is kept for those.
   */
  readonly features?: Features;
  /**
   * Labels of your own that are known before the task. The outcome carries them. A change that harms the tasks with one
   * of the first 8 is kept for the others.
   */
  readonly tags?: readonly string[];
  /**
   * Name of a problem or request that comes again, e.g. a hash of the question. Trials predict a task from earlier ends
   * with the same key, which decides them with fewer tasks. At most 500 keys are kept.
   */
  readonly key?: string;
  /** Id of the enclosing task. Detected automatically if the platform has call context. */
  readonly parent?: string;
  /**
   * Maximum duration of the task in milliseconds. A trial counts a longer task as failed.
   * Default: three times the recent maximum for this task name, at least one hour.
   */
  readonly deadlineMs?: number;
}

/** Facts about a request, by name. */
export type Features = Readonly<Record<string, string>>;

/** Functions that reading the options needs. */
interface ReadPorts {
  readonly sanitizeName: (name: string) => string;
  readonly report: Report;
}

const NO_OPTIONS: BeginOptions = {};
const MIN_DEADLINE_MS = 3_600_000;
/** A task that runs longer than this many times the recent maximum counts as lost. */
const TIMES_SLOWEST = 3;
/** Same maximum length as `model.order`. */
const MAX_LISTED = 16;

export function readTaskName(ports: ReadPorts, task: string): string {
  const name = task === '' ? undefined : readName(ports, 'task', task);
  if (name === undefined)
    ports.report({ where: 'begin', message: 'a task without a name is recorded as "unnamed": name it' });
  return name ?? 'unnamed';
}

const OPTIONS = [
  'id',
  'session',
  'model',
  'models',
  'idempotent',
  'tool',
  'source',
  'agent',
  'features',
  'tags',
  'key',
  'parent',
  'deadlineMs',
  ...DEPLOYMENT_KEYS,
] as const;

/** Returns the options if all of them can be read, otherwise a copy of the readable ones. */
export function readOptions({ report }: ReadPorts, given: BeginOptions): BeginOptions {
  if (typeof given !== 'object' || given === null) {
    report({ where: 'begin', message: `the options are ${showValue(given)}: they were ignored; give an object` });
    return NO_OPTIONS;
  }
  try {
    for (const name of OPTIONS) void given[name];
    return given;
  } catch (error) {
    report({ where: 'begin', message: `an option cannot be read: threw ${describeThrown(error)}` });
    return readableFields(given); // each field is validated when it is used
  }
}

/** Returns the first model. Untyped callers may pass a value that is not an array. */
export function firstOf(models: unknown): unknown {
  return Array.isArray(models) ? models[0] : undefined;
}

/** Returns the sanitized, distinct names of a list with at least two models; otherwise `undefined`. */
export function readModels({ sanitizeName }: ReadPorts, models: unknown): readonly string[] | undefined {
  if (!Array.isArray(models) || models.length < 2) return undefined;
  const names = models.slice(0, MAX_LISTED).flatMap((name) => (typeof name === 'string' ? [sanitizeName(name)] : []));
  const different = new Set(names);
  if (different.size < 2) return undefined;
  return different.size === names.length ? names : [...different];
}

/** Returns the sanitized name. Reports and ignores a value that is not a string, since hosts may be untyped. */
export function readName({ sanitizeName, report }: ReadPorts, field: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return sanitizeName(value);
  report({ where: 'begin', message: `${field} is ${showValue(value)}: it was ignored; give a text` });
  return undefined;
}

/** Names of features that a task can have. */
const MAX_FEATURES = 8;
const FEATURE_NAME = /^[\w-]{1,40}$/;

/** Returns the features under their names in a scope. Reports and ignores those that are unusable. */
export function readFeatures(ports: ReadPorts, features: unknown): Readonly<Record<FeatureKey, string>> {
  const scope: Record<FeatureKey, string> = {};
  if (!isObject(features)) {
    const message = `features is ${showValue(features)}: they were ignored; give an object of texts`;
    ports.report({ where: 'begin', message });
    return scope;
  }
  let count = 0;
  for (const [name, given] of Object.entries(readableFields(features))) {
    if (!FEATURE_NAME.test(name) || count === MAX_FEATURES) {
      const say = `give at most ${MAX_FEATURES} names of up to 40 letters, digits, _ and -`;
      ports.report({ where: 'begin', message: `the feature ${showValue(name)} was ignored: ${say}` });
      continue;
    }
    const value = readName(ports, `features.${name}`, given);
    if (value === undefined) continue;
    scope[`feature.${name}`] = value;
    count++;
  }
  return scope;
}

/** Tags that a task may carry, and those of them that trials watch. */
const MAX_TAGS = 32;
const MAX_WATCHED = 8;

/** Returns the distinct, sanitized tags. Reports and ignores those that are unusable. */
export function readTags(ports: ReadPorts, tags: unknown): readonly string[] {
  if (!Array.isArray(tags)) {
    ports.report({ where: 'begin', message: `tags is ${showValue(tags)}: it was ignored; give a list of texts` });
    return [];
  }
  return [...new Set(tags.slice(0, MAX_TAGS).flatMap((tag) => readName(ports, 'tags', tag) ?? []))];
}

/** Returns the tags that trials watch, under their names in a scope. */
export function watchedTags(tags: readonly string[]): Readonly<Record<FeatureKey, string>> {
  return Object.fromEntries(tags.slice(0, MAX_WATCHED).map((tag) => [`${TAG_PREFIX}${tag}`, 'yes']));
}

/** Limit of `deadlineMs`. Longer tasks would delay their trial and stay in the server's list of open tasks. */
const MAX_DEADLINE_MS = 7 * 86_400_000;

/**
 * Returns how long the task may take, in milliseconds. Set before its arms are drawn, so it is the same in both arms.
 */
export function readDeadline(
  { slowestMs, report }: ReadPorts & { readonly slowestMs: (task: string, atMs: number) => number },
  given: number | undefined,
  task: string,
  atMs: number,
): number {
  if (typeof given === 'number' && given > 0 && given <= MAX_DEADLINE_MS) return given;
  const usualMs = Math.min(MAX_DEADLINE_MS, Math.max(MIN_DEADLINE_MS, TIMES_SLOWEST * slowestMs(task, atMs)));
  if (given !== undefined) {
    const message = `deadlineMs is ${showValue(given)}: ${usualMs} is used; give milliseconds above 0, at most 7 days`;
    report({ where: 'begin', message });
  }
  return usualMs;
}

/**
 * Returns the names by which trials predict the task, general to special: its task, with its model, with its features,
 * and its key. Undefined if only the task is known.
 */
export function predictingNames(
  { task = '', ...scope }: Scope,
  key: string | undefined,
): readonly string[] | undefined {
  const names = [task];
  if (scope.model !== undefined) names.push(`${task} ${scope.model}`);
  const features = Object.keys(scope)
    .filter((key): key is FeatureKey => isFeatureKey(key) && !key.startsWith(TAG_PREFIX))
    .sort();
  if (features.length > 0) names.push([names.at(-1), ...features.map((name) => `${name}=${scope[name]}`)].join(' '));
  if (key !== undefined) names.push(`${task} ${key}`);
  return names.length > 1 ? names : undefined;
}
