import { RSILoop } from 'rsi-loop';
import { selectModel } from 'rsi-loop/models';

const { model } = await selectModel();
const loop = new RSILoop({ ...(model && { model }) });
for (let index = 0; index < 10; index++) {
  const expected = 'every point of the request';
  loop.observer.recordFailure({ task: 'report', issues: ['incomplete_task'], expected, actual: 'two points are open' });
}
await loop.runCycle();
for (const { id, change, reason } of loop.fixes({ status: 'proposed' })) {
  if (change.kind === 'rule') console.log(`${id}  ${change.file}: ${change.text}\n  ${reason}`);
}

await loop.close();
