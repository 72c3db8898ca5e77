import { RSILoop, rootCauses } from 'rsi-loop';

const loop = new RSILoop();
for (let index = 0; index < 3; index++) {
  loop.observer.recordSimple('api_call', { success: false, error: '429 Too Many Requests' });
  loop.observer.recordSimple('summarise', { success: false, issues: ['context_loss'] });
}
for (const { cause, count, share } of (await rootCauses(loop, { days: 7 })).causes) {
  console.log(cause, count, `${Math.round(100 * share)} %`);
}

await loop.close();
