import { RSILoop } from 'rsi-loop';

const loop = new RSILoop();
for (let call = 0; call < 200; call++) {
  const outcome = call % 8 === 0 ? { success: false, error: '503 Service Unavailable' } : { success: true };
  loop.observer.recordSimple('api_call', outcome);
}
const { patterns, fixes } = await loop.runCycle();
for (const { task, issue, rate } of patterns) console.log(`${task}: ${issue}, ${rate.value * 100} % of ${rate.of}`);
for (const { target, reason, needs } of fixes) console.log(`${target}: ${reason}\n  needs: ${needs}`);
await loop.close();
