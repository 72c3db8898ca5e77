import { sanitizeDeployment, sanitizeName } from '../observe/sanitize.js';
import { type Begin, createBegin } from '../run/begin.js';
import { adviceOf, givenTo } from './advice.js';
import type { Live } from './live.js';
import type { LiveComponents } from './live-components.js';
import type { RSILoopOptions } from './options.js';

/** Creates `begin` for a loop. A Start is written before the work of a task that has an arm. */
export function beginOf(
  { clock, store, newId, observer, policies, prompts, repeats, capture, report }: LiveComponents,
  { source, deployment }: Pick<RSILoopOptions, 'source' | 'deployment'>,
  live: Pick<Live, 'tasks' | 'assign' | 'slowestMs' | 'state'>,
): Begin {
  const { tasks } = live;
  return createBegin({
    clock,
    writer: store.journal.writer,
    newId,
    sanitizeName,
    source,
    deployment: deployment && sanitizeDeployment(deployment),
    mayRepeat: (task, call, models) => repeats.ofCall(task, call, models),
    slowestMs: (task, atMs) => live.slowestMs(task, atMs),
    assign: (start, mayRepeat) => live.assign(start, mayRepeat),
    policyFor: (scope, arms, mayRepeat) => {
      const { add, hold } = tasks.changes(scope, arms);
      return policies.lookup(scope, add, hold, { may: mayRepeat });
    },
    adviceFor: (scope, arms, session) => adviceOf(tasks.active, scope, arms, session),
    givenFor: (scope, arms, session) => givenTo(tasks.active, scope, arms, session),
    promptsFor: (start, arms) => prompts.texts?.of(start, arms, tasks.active),
    writeStart: (start) => live.state.intake.written.addStart(start),
    recordEnd: (started, end) => observer.recordEnd(started, end) !== undefined,
    enclosing: () => capture.current(),
    report,
  });
}
