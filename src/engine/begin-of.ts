import { sanitizeName } from '../observe/sanitize.js';
import { type Begin, type BeginPorts, createBegin } from '../run/begin.js';
import { adviceOf, givenTo } from './advice.js';
import type { Engine } from './engine.js';
import type { FixedComponents } from './fixed-components.js';
import type { RSILoopOptions } from './options.js';

/** Creates `begin` for a loop. `writeStart` is called before the work of a task that has an arm. */
export function beginOf(
  { clock, store, newId, observer, policies, repeats, capture, report }: FixedComponents,
  { source, kinds }: Pick<RSILoopOptions, 'source' | 'kinds'>,
  { engine, writeStart }: { readonly engine: Engine } & Pick<BeginPorts, 'writeStart'>,
): Begin {
  const { tasks } = engine;
  return createBegin({
    clock,
    writer: store.journal.writer,
    newId,
    sanitizeName,
    ...(source !== undefined && { source }),
    mayRepeat: (task, call, models) => repeats.ofCall(task, call, models),
    slowestMs: (task, atMs) => engine.components.analyzer.slowestMs(task, atMs),
    assign: (start, mayRepeat) => engine.assign(start, mayRepeat),
    policyFor: (scope, arms, mayRepeat) => {
      const { add, hold } = tasks.changes(arms);
      return policies.lookup(scope, add, hold, { may: mayRepeat });
    },
    adviceFor: (scope, arms, session) => adviceOf(tasks.active, scope, arms, session),
    // Every task pays for this look-up, and only custom kinds give data.
    ...(kinds && { givenFor: (scope, arms, session) => givenTo(tasks.active, scope, arms, session) }),
    writeStart,
    recordEnd: (started, end) => observer.recordEnd(started, end) !== undefined,
    enclosing: () => capture.current(),
    report,
  });
}
