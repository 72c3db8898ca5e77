import type { Outcome } from '../../src/contract/outcome.js';
import { type Random, seededRandom } from '../../src/lib/random.js';
import { Observer } from '../../src/observe/observer.js';

/** Result of a campaign of hostile records. */
export interface HostileReport {
  readonly cases: number;
  readonly taken: number;
  /** Cases in which `record`, `recordSimple` or the outcome it gave broke a promise, with the promise. */
  readonly broken: readonly string[];
  readonly longestJson: number;
}

const KEYS = [
  'task',
  'task_type',
  'success',
  'status',
  'error',
  'error_message',
  'ts',
  'id',
  'tokens',
  'usage',
  'context',
  'tags',
  'issues',
  'attempts',
  'quality',
  'durationMs',
  'model',
  'severity',
  'weight',
  'managed',
  'retryAfter',
  '__proto__',
  'constructor',
  'toJSON',
  'then',
  'length',
  'password',
  '\ud800',
  '',
] as const;

/** Sends `cases` made-up records and checks after each that nothing was thrown and that what came out is plain and bounded. */
export function sendHostileInput(cases: number, seed: number): HostileReport {
  const random = seededRandom(seed);
  const broken: string[] = [];
  let longestJson = 0;
  let taken = 0;
  let last: Outcome | undefined;
  let made = 0;
  const observer = new Observer({
    clock: { now: () => 1_700_000_000_000 },
    newId: () => `id-${made++}`,
    into: {
      take: (outcome) => {
        last = outcome;
      },
    },
    report: () => {},
  });
  for (let index = 0; index < cases; index++) {
    const input = hostileValue(random, 0);
    last = undefined;
    try {
      // The type is what the host promises, and a hostile one breaks it.
      if (random() < 0.5) observer.record(input);
      else observer.recordSimple(hostileValue(random, 2) as string, input as { success: boolean });
    } catch (error) {
      broken.push(`case ${index} threw ${String(error)}`);
    }
    if (last === undefined) continue;
    taken++;
    const problem = problemWith(last);
    if (problem !== undefined) broken.push(`case ${index}: ${problem}`);
    longestJson = Math.max(longestJson, JSON.stringify(last).length);
  }
  if (Object.keys(Object.prototype).length > 0 || 'polluted' in {}) broken.push('Object.prototype was changed');
  return { cases, taken, broken, longestJson };
}

/** 16,000 characters of context, texts of 2,000, lists of names, and room for escapes of control characters. */
const MAX_JSON = 200_000;

function problemWith(outcome: Outcome): string | undefined {
  const json = JSON.stringify(outcome);
  if (json.length > MAX_JSON) return `the outcome has ${json.length} characters`;
  if (JSON.stringify(JSON.parse(json)) !== json) return 'the outcome is not plain JSON';
  // JSON.stringify writes a half that stands alone as an escape.
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(json)) return 'half of a surrogate pair was kept';
  if (typeof outcome.task !== 'string' || outcome.task === '') return 'the task is no text';
  if (typeof outcome.success !== 'boolean') return 'success is no boolean';
  if (!(outcome.atMs >= 0)) return 'the time is no time';
  if (outcome.success && outcome.fingerprint !== undefined && outcome.error === undefined) return undefined;
  if (!outcome.success && outcome.issues.length === 0) return 'a failure without an issue';
  return undefined;
}

function hostileValue(random: Random, depth: number): unknown {
  const makers = depth > 3 ? SMALL : depth === 0 ? [...OBJECTS, ...OBJECTS, ...SMALL] : [...SMALL, ...OBJECTS];
  return makers[Math.floor(random() * makers.length)]?.(random, depth);
}

type Maker = (random: Random, depth: number) => unknown;

const SMALL: readonly Maker[] = [
  () => undefined,
  () => null,
  () => true,
  () => 'true',
  () => 'a_task',
  () => 'error',
  () => '',
  () => '\ud83d',
  () => '\udc00 tail \ud800',
  () => '__proto__',
  (random) => 'x'.repeat(Math.floor(random() ** 12 * 100_000)),
  () => 'password=\u0000',
  (random) => (random() - 0.5) * 10 ** Math.floor(random() * 40),
  () => Number.NaN,
  () => Number.NEGATIVE_INFINITY,
  () => -0,
  () => 10n ** 60n,
  () => -1n,
  () => Symbol('secret'),
  () => () => 'called',
  () => new Date(Number.NaN),
  () => new Error('boom', { cause: 'why' }),
  () => new Uint8Array(1000),
  () => new Map([['password', 'hunter2']]),
  () => new Set([1, 2]),
  () => /x/,
  () => new Proxy({}, {}),
  () => globalThis,
  () => Promise.resolve(1),
];

const OBJECTS: readonly Maker[] = [
  plainObject,
  plainObject,
  plainObject,
  (random, depth) => Array.from({ length: Math.floor(random() * 6) }, () => hostileValue(random, depth + 1)),
  (random, depth) => {
    const cyclic = plainObject(random, depth) as Record<string, unknown>;
    cyclic.self = cyclic;
    cyclic.context = { up: cyclic, list: [cyclic] };
    return cyclic;
  },
  (random, depth) => {
    const object = plainObject(random, depth);
    Object.defineProperty(object, KEYS[Math.floor(random() * KEYS.length)] ?? 'x', {
      enumerable: true,
      get() {
        throw new Error('a getter throws');
      },
    });
    return object;
  },
  (random) => throwingProxy(random),
  (random, depth) => Object.freeze(plainObject(random, depth)),
  (random, depth) => Object.create(null, Object.getOwnPropertyDescriptors(plainObject(random, depth))),
  (random, depth) =>
    Object.defineProperties(new Error('failed'), Object.getOwnPropertyDescriptors(plainObject(random, depth))),
  () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 2_000; level++) deep = level % 2 === 0 ? { deep } : [deep];
    return { task: 'deep', success: true, deep, error: deep };
  },
  () => JSON.parse('{"task":"t","success":false,"__proto__":{"polluted":1},"context":{"__proto__":{"polluted":1}}}'),
  () => ({
    task: 't',
    success: true,
    ...Object.fromEntries(Array.from({ length: 500 }, (_, key) => [`key${key}`, key])),
  }),
  () => ({
    task: 't',
    success: true,
    toString: () => {
      throw new Error('no text');
    },
    list: new Array(1e5),
  }),
];

function plainObject(random: Random, depth: number): object {
  const object: Record<string, unknown> = random() < 0.7 ? { task: 't', success: random() < 0.5 } : {};
  for (let count = Math.floor(random() * 8); count > 0; count--) {
    const key = KEYS[Math.floor(random() * KEYS.length)] ?? 'x';
    Object.defineProperty(object, key, {
      value: hostileValue(random, depth + 1),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return object;
}

/** A proxy that throws in some of its traps, or lies in them. */
function throwingProxy(random: Random): object {
  const traps = ['get', 'has', 'ownKeys', 'getOwnPropertyDescriptor', 'getPrototypeOf'] as const;
  const handler: Record<string, () => never> = {};
  for (const trap of traps) {
    if (random() < 0.3) {
      handler[trap] = () => {
        throw random() < 0.5 ? new Error(`${trap} throws`) : Symbol('thrown');
      };
    }
  }
  return new Proxy({ task: 't', success: false, error: 'boom' }, handler);
}
