import { serveTask } from 'rsi-loop/orchestrate';

// The file that threads('./orchestrate-worker.js') or processes('./orchestrate-worker.js') starts.
serveTask(async ({ input, results, signal }) => {
  signal.throwIfAborted();
  return { input, before: Object.keys(results) };
});
