import { RSILoop } from 'rsi-loop';
import { partsOf } from '../../src/live/loop-parts.js';
import type { FaultReport } from '../node/store-faults.js';

const TASKS = 12;

/** Methods that hosts call themselves: a fault in place of one is not inside. */
const ENTRY_POINTS: ReadonlySet<string> = new Set(['constructor', 'record', 'recordSimple', 'recordFailure']);

/** Objects of the platform, whose methods do not fail. */
const PLATFORM: ReadonlySet<unknown> = new Set([Object.prototype, Set.prototype, Map.prototype]);

/** One method of a part of the loop. */
interface Method {
  readonly name: string;
  readonly owner: Record<string, unknown>;
  readonly key: string;
}

/**
 * Lets each method of each part of a loop throw in turn, as a bug of this library would, while a host works. The host gets
 * its own values and errors, nothing is thrown at it or left unhandled, and once the part works again cycles end. A record that
 * the broken part could not take is reported.
 */
const BUILT_IN = new Set<object>(
  [Array, Map, Set, WeakMap, Object, Function, Promise].map(({ prototype }) => prototype),
);

export async function failInside(): Promise<FaultReport> {
  const broken: string[] = [];
  let lost = 0;
  let doubled = 0;
  // Parts may be lists: breaking a built-in would break Node itself.
  const methods = (await methodsOfParts()).filter(({ owner }) => !BUILT_IN.has(owner));
  for (const method of methods) {
    const result = await withBroken(method);
    lost += result.lost;
    doubled += result.doubled;
    broken.push(...result.broken.map((what) => `${method.name}: ${what}`));
  }
  return { tried: methods.length, broken, lost, doubled };
}

async function withBroken(method: Method): Promise<{ lost: number; doubled: number; broken: readonly string[] }> {
  const broken: string[] = [];
  const onUnhandled = (reason: unknown) => void broken.push(`unhandled: ${String(reason)}`);
  process.on('unhandledRejection', onUnhandled);
  const loop = new RSILoop({ policy: { 'retries.network': 1, 'backoff.baseMs': 10 }, idempotent: true });
  let reports = 0;
  loop.on('problem', () => void reports++);
  loop.on('outcomes-dropped', () => void reports++);
  await loop.ready();
  const working = method.owner[method.key];
  method.owner[method.key] = () => {
    throw new Error('a bug of the library');
  };
  try {
    await work(loop, broken);
  } finally {
    method.owner[method.key] = working;
  }
  await loop.runCycle();
  const { unfinished } = await loop.runCycle();
  if (unfinished !== undefined) broken.push(`cycles do not recover: ${unfinished}`);
  await loop.flush();
  const tasks: string[] = [];
  for await (const { record } of loop.store.journal.read())
    if (record.kind === 'outcome') tasks.push(record.outcome.id);
  await loop.close();
  process.off('unhandledRejection', onUnhandled);
  const kept = new Set(tasks).size;
  const missing = 2 * TASKS - kept;
  if (missing > 0 && reports === 0) broken.push(`${missing} records are lost and nothing was reported`);
  return { lost: reports === 0 ? missing : 0, doubled: tasks.length - kept, broken };
}

/** Works as a host does, and compares what it gets with what it gave. */
async function work(loop: RSILoop, broken: string[]): Promise<void> {
  for (let number = 0; number < TASKS; number++) {
    const own = new Error('ECONNRESET');
    const task = number % 3 === 0 ? () => Promise.reject(own) : () => number;
    const got = await runOf(loop, task).catch((error: unknown) => error);
    if (got !== (number % 3 === 0 ? own : number)) broken.push(`the host got ${String(got)}`);
    try {
      loop.observer.record({ task: 'note', success: number % 2 === 0, error: 'E42 broke' });
    } catch (error) {
      broken.push(`record threw ${String(error)}`);
    }
  }
  await loop.runCycle().catch((error: unknown) => broken.push(`a cycle threw ${String(error)}`));
}

/** Calls it as hosts do: a synchronous throw counts as well. */
async function runOf(loop: RSILoop, task: () => unknown): Promise<unknown> {
  return loop.run('job', task, { models: ['sonnet'] });
}

/** Every method of every part behind a loop. */
async function methodsOfParts(): Promise<readonly Method[]> {
  const loop = new RSILoop();
  await loop.ready();
  // The platform's own time does not fail, and what reports failures cannot be missing.
  const { clock: _, events: __, ...components } = partsOf(loop);
  const parts = Object.entries(components);
  const methods = parts.flatMap(([part, value]: [string, unknown]) => {
    const owner: unknown = typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : undefined;
    if (owner === undefined || owner === null || PLATFORM.has(owner)) return [];
    return Object.entries(Object.getOwnPropertyDescriptors(owner))
      .filter(([key, { value: method }]) => !ENTRY_POINTS.has(key) && typeof method === 'function')
      .map(([key]) => ({ name: `${part}.${key}`, owner: owner as Record<string, unknown>, key })); // methods by name
  });
  await loop.close();
  return methods;
}
