import { RSILoop } from 'rsi-loop';

const loop = new RSILoop();
loop.fixer.register({
  name: 'slow-start-of-search',
  match: (pattern) => pattern.task === 'search' && pattern.issue === 'timeout',
  propose: (pattern) => [
    {
      set: { 'retries.timeout': 2, 'backoff.baseMs': 500 },
      reason: `the index warms up on the first call: ${pattern.count} time-outs`,
      safe: true, // tried without asking, because it stays inside the bounds
    },
  ],
});

for (let call = 0; call < 50; call++) {
  loop.observer.recordSimple('search', call % 4 === 0 ? { success: false, error: 'ETIMEDOUT' } : { success: true });
}
const { fixes } = await loop.runCycle();
for (const { target, reason } of fixes) console.log(target, reason);
await loop.close();
