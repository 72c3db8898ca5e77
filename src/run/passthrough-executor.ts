import type { Clock } from '../contract/clock.js';
import type { Issue } from '../contract/issue.js';
import { findFlaw } from './check.js';
import { HostFunctions } from './host-functions.js';
import type { Report } from './problem.js';
import type { TaskExecutor } from './runner.js';

/** Calls the function once, with the first model and no policy. Used only if the executor cannot be loaded. */
export function passthroughExecutor(clock: Clock, report: Report): TaskExecutor {
  const host = new HostFunctions(clock, report);
  const classify = () => ({ category: 'unknown' as const });
  return {
    job: (_task, begun, work, { models, signal = new AbortController().signal, accept, isEmpty, onEnd }) => ({
      async run() {
        const end = (success: boolean, error?: unknown, ...issues: Issue[]) => {
          begun.end({ success, error, issues });
          if (onEnd) host.notify('run.onEnd', () => onEnd({ id: begun.id, success, attempts: [] }));
        };
        const { policy, advice } = begun;
        try {
          const value = await work({ model: models?.[0], signal, attempt: 1, policy, advice });
          const flaw = await findFlaw(value, { accept, isEmpty }, classify, host);
          if (flaw === undefined) end(true);
          else end(false, flaw.error, flaw.issue);
          return value;
        } catch (error) {
          if (signal.aborted) end(false, 'cancelled', 'cancelled');
          else end(false, error);
          throw error;
        }
      },
    }),
  };
}
