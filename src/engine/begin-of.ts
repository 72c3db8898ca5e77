import { sanitizeDeployment, sanitizeName } from '../observe/sanitize.js';
import { type Begin, type BeginPorts, createBegin } from '../run/begin.js';
import { adviceOf, givenTo } from './advice.js';
import type { Engine } from './engine.js';
import type { FixedComponents } from './fixed-components.js';
import type { RSILoopOptions } from './options.js';

/** Creates `begin` for a loop. `writeStart` is called before the work of a task that has an arm. */
export function beginOf(
  { clock, store, newId, observer, policies, texts, repeats, capture, report }: FixedComponents,
  { source, deployment }: Pick<RSILoopOptions, 'source' | 'deployment'>,
  { engine, writeStart }: { readonly engine: Engine } & Pick<BeginPorts, 'writeStart'>,
): Begin {
  const { tasks } = engine;
  return createBegin({
    clock,
    writer: store.journal.writer,
    newId,
    sanitizeName,
    source,
    deployment: deployment && sanitizeDeployment(deployment),
    mayRepeat: (task, call, models) => repeats.ofCall(task, call, models),
    slowestMs: (task, atMs) => engine.components.analyzer.slowestMs(task, atMs),
    assign: (start, mayRepeat) => engine.assign(start, mayRepeat),
    policyFor: (scope, arms, mayRepeat) => {
      const { add, hold } = tasks.changes(scope, arms);
      return policies.lookup(scope, add, hold, { may: mayRepeat });
    },
    adviceFor: (scope, arms, session) => adviceOf(tasks.active, scope, arms, session),
    givenFor: (scope, arms, session) => givenTo(tasks.active, scope, arms, session),
    promptsFor: ({ task, scope, session, atMs }, arms) =>
      texts.isEmpty ? texts.lookup(task) : texts.lookup(task, tasks.texts(scope, arms, session, atMs), session),
    writeStart,
    recordEnd: (started, end) => observer.recordEnd(started, end) !== undefined,
    enclosing: () => capture.current(),
    report,
  });
}
