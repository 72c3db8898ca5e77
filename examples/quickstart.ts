import { RSILoop } from 'rsi-loop';

const loop = new RSILoop(); // in memory; give a store to keep what it learns

for (let call = 0; call < 200; call++) {
  const failed = call % 8 === 0;
  loop.observer.recordSimple(
    'api_call',
    failed ? { success: false, error: '503 Service Unavailable' } : { success: true },
  );
}

const { patterns, fixes, health } = await loop.runCycle();
for (const { task, issue, rate } of patterns) console.log(`${task}: ${issue}, ${rate.value * 100} % of ${rate.of}`);
for (const { target, reason, needs } of fixes) console.log(`${target}: ${reason}\nneeds: ${needs}`);
console.log(`health ${health.score.toFixed(2)}`);
await loop.close();
