/**
 * Cost of a wrapped call beyond the call itself: an async function that succeeds, under retry, breaker and time-out
 * in all three libraries. Processor time of the process, median of interleaved rounds: other work on the machine counts
 * as little as it can.
 */
import {
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleAll,
  retry,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel';
import CircuitBreaker from 'opossum';
import type { PolicyChange } from '../../src/contract/change.js';
import type { Scope } from '../../src/contract/scope.js';
import type { Settings } from '../../src/contract/settings.js';
import type { ArmAssignment } from '../../src/contract/start.js';
import { idMaker } from '../../src/lib/ids.js';
import { seededRandom } from '../../src/lib/random.js';
import { RepeatRules } from '../../src/lib/repeat.js';
import { SystemClock } from '../../src/lib/system-clock.js';
import { RSILoop } from '../../src/loop.js';
import { Observer } from '../../src/observe/observer.js';
import { sanitizeName } from '../../src/observe/sanitize.js';
import { createBegin } from '../../src/run/begin.js';
import type { Capture } from '../../src/run/capture.js';
import { Executor } from '../../src/run/executor.js';
import type { TaskEnd, TaskIdentity } from '../../src/run/open-task.js';
import { PolicyTable } from '../../src/run/policy-table.js';
import { Runner } from '../../src/run/runner.js';

const CALLS = 20_000;
const ROUNDS = 15;
const SAME: Settings = {
  'retries.network': 3,
  'retries.server_error': 3,
  'retries.timeout': 3,
  'breaker.failures': 5,
  'timeout.attemptMs': 10_000,
};
const NO_CAPTURE: Capture = {
  current: () => undefined,
  enclosing: () => undefined,
  isSuppressed: () => false,
  run: (_id, work, argument) => work(argument),
};

const work = async () => 1;

function runner(
  settings: Settings,
  capture: Capture,
  recordEnd: (begun: TaskIdentity, end: TaskEnd) => boolean,
): Runner {
  const clock = new SystemClock();
  const table = new PolicyTable({ settings });
  const repeats = new RepeatRules({ own: settings, answers: () => new Map() });
  const report = (problem: { readonly message: string }) => console.error(problem.message);
  const none: readonly ArmAssignment[] = [];
  const begin = createBegin({
    clock,
    writer: 'bench',
    newId: idMaker('bench'),
    sanitizeName,
    mayRepeat: (task, call, models) => repeats.ofCall(task, call, models),
    slowestMs: () => 0,
    assign: () => none,
    policyFor: (scope, _arms, mayRepeat) => table.lookup(scope, [], [], { may: mayRepeat }),
    adviceFor: () => [],
    writeStart: () => {},
    recordEnd,
    enclosing: capture.current,
    report,
  });
  return new Runner(begin, new Executor({ clock, random: seededRandom(1), report }), capture, report);
}

function observing(): (begun: TaskIdentity, end: TaskEnd) => boolean {
  let seen = 0;
  const observer = new Observer({
    clock: new SystemClock(),
    newId: idMaker('bench'),
    into: { take: () => void seen++ },
    report: (problem) => console.error(problem.message),
  });
  return (begun, end) => observer.recordEnd(begun, end) !== undefined;
}

const cockatiel = wrap(
  retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() }),
  circuitBreaker(handleAll, { halfOpenAfter: 10_000, breaker: new ConsecutiveBreaker(5) }),
  timeout(10_000, TimeoutStrategy.Aggressive),
);
const opossum = new CircuitBreaker(work, { timeout: 10_000, errorThresholdPercentage: 50 });

const same = runner(SAME, NO_CAPTURE, () => true);
const sameObserved = runner(SAME, NO_CAPTURE, observing());
const plain = runner({}, NO_CAPTURE, () => true);

const rows: Record<string, () => Promise<unknown>> = {
  'bare call': () => work(),
  'cockatiel: retry, breaker, time-out': () => cockatiel.execute(work),
  'opossum: breaker, time-out': () => opossum.fire(),
  'Runner: retry, breaker, time-out': () => same.run('task', work),
  'Runner: the same, outcomes observed': () => sameObserved.run('task', work),
  'Runner: default policy': () => plain.run('task', work),
};

async function timed(call: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  for (let index = 0; index < CALLS; index++) await call();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / CALLS;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

async function measure(title: string, calls: Record<string, () => Promise<unknown>>): Promise<void> {
  const results = new Map<string, number[]>(Object.keys(calls).map((name) => [name, []]));
  for (const call of Object.values(calls)) await timed(call);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, call] of Object.entries(calls)) results.get(name)?.push(await timed(call));
  }
  const usOf = (name: string) => median(results.get(name) ?? []);
  const over = (name: string) => usOf(name) - usOf('bare call');
  const base = over('cockatiel: retry, breaker, time-out');
  const other = over('opossum: breaker, time-out');
  console.log(`${title.padEnd(44)}  µs/call  overhead  x cockatiel  x opossum`);
  for (const name of Object.keys(calls)) {
    const cost = over(name);
    const figures = [usOf(name).toFixed(2), cost.toFixed(2), (cost / base).toFixed(2), (cost / other).toFixed(2)];
    console.log(`${name.padEnd(44)} ${figures.map((figure) => figure.padStart(9)).join(' ')}`);
  }
}

await measure('the executor', rows);
// Apart: what the loop keeps makes every collection of garbage dearer, also those that fall into other rows.
const loop = new RSILoop({ policy: SAME });
await loop.ready();
await measure('the whole loop, which keeps its outcomes', {
  'bare call': rows['bare call'] ?? work,
  'cockatiel: retry, breaker, time-out': () => cockatiel.execute(work),
  'opossum: breaker, time-out': () => opossum.fire(),
  'loop.run': () => loop.run('task', work),
});
opossum.shutdown();
await loop.close();

/** How long it takes to find the settings of one task. */
function lookUp(name: string, confirmed: readonly PolicyChange[], arms: readonly PolicyChange[]): void {
  const table = new PolicyTable({ settings: SAME });
  table.update({ confirmed });
  const scopes: Scope[] = Array.from({ length: 64 }, (_, index) => ({
    task: `task ${index}`,
    model: `model ${index % 5}`,
  }));
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    let found = 0;
    for (let index = 0; index < 1_000_000; index++) {
      found += table.lookup(scopes[index & 63] ?? {}, arms)['backoff.baseMs'];
    }
    const { user, system } = process.cpuUsage(start);
    if (found > 0) times.push((user + system) / 1_000);
  }
  console.log(`${name.padEnd(44)} ${median(times).toFixed(0).padStart(9)} ns`);
}

const change = (scope: Scope, set: PolicyChange['set']): PolicyChange => ({ kind: 'policy', scope, set, undo: {} });
const fixes = Array.from({ length: 20 }, (_, index) => change({ task: `task ${index}` }, { 'retries.network': 2 }));
const routes = Array.from({ length: 5 }, (_, index) => change({ model: `model ${index}` }, { 'retries.timeout': 1 }));
console.log('\nthe policy of one task');
lookUp('no fixes', [], []);
lookUp('25 confirmed fixes by task and model', [...fixes, ...routes], []);
lookUp(
  'the same and the arms of 2 trials',
  [...fixes, ...routes],
  [change({}, { 'retries.server_error': 1 }), change({}, { 'retries.parse_error': 1 })],
);
