import type { Clock } from '../../src/contract/clock.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { mergePolicy } from '../../src/contract/policy.js';
import type { Settings } from '../../src/contract/settings.js';
import type { ArmAssignment, Start } from '../../src/contract/start.js';
import { idMaker } from '../../src/lib/ids.js';
import { type Random, seededRandom } from '../../src/lib/random.js';
import { RepeatRules, withoutRepeats } from '../../src/lib/repeat.js';
import { Observer } from '../../src/observe/observer.js';
import { sanitizeName } from '../../src/observe/sanitize.js';
import { type BeginPorts, createBegin } from '../../src/run/begin.js';
import { createCapture } from '../../src/run/capture.js';
import { Executor } from '../../src/run/executor.js';
import type { Problem } from '../../src/run/problem.js';
import { Runner } from '../../src/run/runner.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

export interface Fixture {
  readonly clock: ManualClock;
  readonly runner: Runner;
  readonly executor: Executor;
  readonly begin: ReturnType<typeof createBegin>;
  readonly outcomes: Outcome[];
  readonly starts: Start[];
  readonly problems: Problem[];
}

/** A runner on a clock that stands still, under the given settings. */
export function fixture(
  settings: Settings = {},
  options: {
    readonly ports?: Partial<BeginPorts>;
    readonly random?: Random;
    readonly arms?: ArmAssignment[];
    readonly clock?: Clock;
  } = {},
): Fixture {
  const manual = new ManualClock();
  const clock = options.clock ?? manual;
  const outcomes: Outcome[] = [];
  const starts: Start[] = [];
  const problems: Problem[] = [];
  const report = (problem: Problem) => void problems.push(problem);
  const policy = mergePolicy([settings]);
  const repeats = new RepeatRules({ own: settings, answers: () => new Map() });
  const capture = createCapture();
  const observer = new Observer({
    clock,
    newId: idMaker('w1'),
    into: { take: (outcome) => void outcomes.push(outcome) },
    report,
  });
  const begin = createBegin({
    clock,
    writer: 'w1',
    newId: idMaker('w1'),
    sanitizeName,
    mayRepeat: (task, call, models) => repeats.ofCall(task, call, models),
    slowestMs: () => 0,
    assign: () => options.arms ?? [],
    policyFor: (_scope, _arms, mayRepeat) => withoutRepeats(policy, settings, mayRepeat),
    adviceFor: () => [],
    writeStart: (start) => void starts.push(start),
    recordEnd: (begun, end) => observer.recordEnd(begun, end) !== undefined,
    enclosing: capture.current,
    report,
    ...options.ports,
  });
  const random = options.random ?? seededRandom(7);
  const executor = new Executor({ clock, random, report });
  const runner = new Runner(begin, executor, capture, report);
  return { clock: manual, runner, executor, begin, outcomes, starts, problems };
}

/** State of a promise, once everything that can settle has. */
export async function settled<Value>(promise: Promise<Value>): Promise<{ value?: Value; error?: unknown }> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}
