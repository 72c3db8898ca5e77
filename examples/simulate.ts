import { exportOutcomes, RSILoop } from 'rsi-loop';
import { simulate } from 'rsi-loop/parts';

const loop = new RSILoop();
// What a trial leaves behind: every second failure was tried again, and two of three times that helped.
for (let call = 0; call < 1_000; call++) {
  const failed = { delayMs: 0, durationMs: 5, success: false, issue: 'network' };
  const again = { delayMs: 90, durationMs: 5, success: call % 3 > 0, issue: 'network' };
  const attempts = call % 5 ? [] : call % 2 ? [failed, again] : [failed];
  const success = attempts.at(-1)?.success ?? true;
  loop.observer.recordSimple('fetch', { success, attempts, ...(!success && { error: 'ECONNRESET' }) });
}

const outcomes = [];
for await (const outcome of exportOutcomes(loop)) outcomes.push(outcome);
const change = { kind: 'policy', scope: { task: 'fetch' }, set: { 'retries.network': 1 }, undo: {} } as const;
const found = simulate(change, outcomes);
if (found.kind === 'estimated') {
  const { before, after, low, high } = found.failureRate;
  console.log(
    `estimate: ${before.toFixed(2)} of the tasks fail now, ${after.toFixed(2)} then (${low.toFixed(2)} to ${high.toFixed(2)})`,
  );
} else console.log(found.reason);
for (const what of found.cannotKnow) console.log(`cannot know: ${what}`);
await loop.close();
