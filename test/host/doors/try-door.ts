/**
 * A process of its own: calls each function and class of one door with hostile values, as each parameter and as each option.
 * Prints what is neither a result nor a clear error. `tsx try-door.ts <file of the door> <callables as JSON>`
 */
import { readFileSync } from 'node:fs';
import { LoopError } from 'rsi-loop';
import { hostileValues } from '../hostile-values.js';
import { valid } from './parts.js';
import type { Callable, Shape } from './shape.js';

/** Longest time that a call may take: some ask a server that is away. */
const LONGEST_MS = 3_000;
const [, , file = '', plan = ''] = process.argv;
const callables: readonly Callable[] = JSON.parse(readFileSync(plan, 'utf8'));
const door: Readonly<Record<string, unknown>> = await import(file);
const found = new Map<string, Set<string>>();
let tried = 0;
let current = '';

function note(what: string, why: string): void {
  const all = found.get(what) ?? new Set();
  found.set(what, all.add(why));
}
process.on('unhandledRejection', (error) =>
  note(
    current,
    `later, unhandled: ${shown(error)} ${error instanceof Error ? (error.stack ?? '').split('\n').slice(1, 5).join(' ') : ''}`,
  ),
);
process.on('uncaughtException', (error) => note(current, `later, thrown: ${shown(error)}`));

/** Argument lists, each with one hostile value, and where it is. */
function* cases({ parameters }: Callable, hostile: unknown): Generator<readonly [where: string, args: unknown[]]> {
  for (const [index, { name, shape }] of parameters.entries()) {
    const others = () => parameters.map((one) => valid(one.shape));
    yield [`.${name}`, others().with(index, hostile)];
    for (const [path, value] of withHostile(shape, hostile)) yield [`.${name}.${path}`, others().with(index, value)];
  }
}

/** Valid objects of a form, of which one field is hostile. */
function* withHostile(shape: Shape, hostile: unknown, depth = 0): Generator<readonly [path: string, value: unknown]> {
  if (shape.kind !== 'object' || depth > 1) return;
  for (const [name, field] of Object.entries(shape.fields)) {
    const rest = valid(shape) as object; // an object's form gives an object
    yield [name, { ...rest, [name]: hostile }];
    for (const [path, value] of withHostile(field.shape, hostile, depth + 1))
      yield [`${name}.${path}`, { ...rest, [name]: value }];
  }
}

/** Returns what is wrong with the way a call ends; undefined if it returns or fails clearly. */
async function attempt(
  callable: Callable,
  args: unknown[],
  where: string,
  longestMs = LONGEST_MS,
): Promise<string | undefined> {
  const called = door[callable.name] as (...args: unknown[]) => unknown; // the plan lists functions
  let cancel = () => {};
  const late = new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve('hangs'), longestMs);
    cancel = () => clearTimeout(timer);
  });
  const work = async () => {
    try {
      await end(await (callable.isClass ? Reflect.construct(called, args) : called(...args)));
      return undefined;
    } catch (error) {
      return isClear(error, where) ? undefined : shown(error);
    }
  };
  return Promise.race([work(), late]).finally(() => cancel());
}

/**
 * Returns whether an error says what is wrong: it is one of the library's, or it names the option or `null`, or the value
 * that Node or its file system rejects, or it is the very error that the value throws.
 */
function isClear(error: unknown, where: string): boolean {
  if (!(error instanceof Error) || error.message.length === 0) return false;
  if (LoopError.is(error)) return error.message.length > 10;
  if (error.message === 'hostile' || error.message.includes('a proxy that has been revoked')) return true;
  if (/ null\b|^E[A-Z]+: |\. Received /.test(error.message)) return true;
  const option = where.split('.').at(-1) ?? '';
  return option !== '' && new RegExp(`\\b${option}\\b`).test(error.message);
}

/** Ends what a call began. */
async function end(result: unknown): Promise<void> {
  if (typeof result !== 'object' || result === null) return;
  for (const name of ['close', 'stop', 'dispose']) {
    const method: unknown = Reflect.get(result, name);
    if (typeof method === 'function' && method.length === 0) {
      await Reflect.apply(method, result, []);
      return;
    }
  }
}

function shown(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message.slice(0, 160)}` : `no error: ${typeof error}`;
}

for (const callable of callables) {
  if (typeof door[callable.name] !== 'function') continue; // exported as a type only
  current = callable.name;
  const usual = await attempt(
    callable,
    callable.parameters.map(({ shape }) => valid(shape)),
    '',
  );
  // Some calls wait for what never comes here, such as a lock that another call holds.
  const longestMs = usual === 'hangs' ? 20 : LONGEST_MS;
  for (const [what, hostile] of hostileValues()) {
    for (const [where, args] of cases(callable, hostile)) {
      current = callable.name + where;
      tried++;
      const why = await attempt(callable, args, where, longestMs);
      if (why !== undefined && why !== usual) note(current, `${what}: ${why}`);
    }
  }
}
await new Promise((resolve) => setTimeout(resolve, 50));
console.log(JSON.stringify({ tried, found: Object.fromEntries([...found].map(([what, whys]) => [what, [...whys]])) }));
process.exit(0);
