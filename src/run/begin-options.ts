import { readableFields } from '../lib/readable.js';
import { showValue } from '../lib/text.js';
import { describeThrown, type Report } from './problem.js';

export interface BeginOptions {
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
  /** Id of the enclosing task. Detected automatically if the platform has call context. */
  readonly parent?: string;
  /**
   * Maximum duration of the task in milliseconds. A trial counts a longer task as failed.
   * Default: three times the recent maximum for this task name, at least one hour.
   */
  readonly deadlineMs?: number;
}

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
  'parent',
  'deadlineMs',
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
  if (given !== undefined && given > 0 && given <= MAX_DEADLINE_MS) return given;
  const usualMs = Math.min(MAX_DEADLINE_MS, Math.max(MIN_DEADLINE_MS, TIMES_SLOWEST * slowestMs(task, atMs)));
  if (given !== undefined) {
    const message = `deadlineMs is ${showValue(given)}: ${usualMs} is used; give milliseconds above 0, at most 7 days`;
    report({ where: 'begin', message });
  }
  return usualMs;
}
