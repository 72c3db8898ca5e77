import type { Issue } from '../records.js';
import { guarded, type Report } from './problem.js';
import type { TaskExecutor } from './runner.js';

/** Stands in where the executor cannot be loaded: one call, of the first model, without time-outs, limits or retries. */
export function once(report: Report): TaskExecutor {
  return {
    job: (_task, begun, work, { models, signal = new AbortController().signal, accept, onEnd }) => ({
      async run() {
        const end = (issue?: Issue, error?: unknown) => {
          const success = error === undefined;
          begun.end({ success, error, ...(issue !== undefined && { issues: [issue] }) });
          if (onEnd) guarded(report, 'run.onEnd', undefined, () => onEnd({ id: begun.id, success, attempts: [] }));
        };
        try {
          const value = await work({ model: models?.[0], signal, attempt: 1, policy: begun.policy });
          const verdict = accept ? guarded(report, 'run.accept', true, () => accept(value)) : true;
          if (verdict === true) end();
          else end('wrong_output', verdict || 'the answer was not accepted');
          return value;
        } catch (error) {
          if (signal.aborted) end('cancelled', 'cancelled by the host');
          else end(undefined, error ?? 'it threw nothing');
          throw error;
        }
      },
    }),
  };
}
