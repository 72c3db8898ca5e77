import { RSILoop } from 'rsi-loop';

const loop = new RSILoop();
for (let call = 0; call < 300; call++) {
  const model = ['sonnet', 'haiku', 'opus'][call % 3] ?? 'sonnet';
  const isBad = model === 'haiku' && call % 2 === 0;
  loop.observer.recordSimple(
    'translate',
    isBad ? { success: false, model, error: 'ETIMEDOUT' } : { success: true, model },
  );
}
const { patterns } = await loop.runCycle();
for (const { task, issue, count, rate, where } of patterns) {
  console.log(`${task}: ${issue}, ${count} of ${rate.of}, where ${JSON.stringify(where)}`);
}
for (const [model, { score }] of Object.entries(loop.health().byModel)) console.log(model, score.toFixed(2));
await loop.close();
