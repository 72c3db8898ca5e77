import type { Issue } from '../records.js';
import { guarded, type Report } from './problem.js';
import type { TaskExecutor } from './runner.js';

/** Stands in where the executor cannot be loaded: one call, of the first model, without time-outs, limits or retries. */
export function once(report: Report): TaskExecutor {
  return {
    job: (_task, begun, work, { models, signal = new AbortController().signal, accept, onEnd }) => ({
      async run() {
        const end = (success: boolean, error?: unknown, ...issues: Issue[]) => {
          begun.end({ success, error, issues });
          if (onEnd) guarded(report, 'run.onEnd', undefined, () => onEnd({ id: begun.id, success, attempts: [] }));
        };
        try {
          const value = await work({
            model: models?.[0],
            signal,
            attempt: 1,
            policy: begun.policy,
            advice: begun.advice,
          });
          const verdict = accept ? guarded(report, 'run.accept', true, () => accept(value)) : true;
          if (verdict === true) end(true);
          else end(false, verdict || 'not accepted', 'wrong_output');
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
