import { mark, RSILoop } from 'rsi-loop';

const loop = new RSILoop();
await mark(loop, 'deploy', '1.4.2'); // every process may say it when it starts: said twice, it is one marker

for (let call = 0; call < 40; call++) {
  loop.observer.recordSimple('summarise', { success: call % 5 > 0, model: call < 20 ? 'sonnet' : 'opus' });
}
await loop.runCycle();

for (const item of loop.healthHistory()) {
  const when = new Date(item.atMs).toISOString();
  if (item.kind === 'marker') console.log(`${when}  ${item.marker.kind}: ${item.marker.label}`);
  else console.log(`${when}  ${(item.point.rate * 100).toFixed(0)} % of ${item.point.outcomes} went well`);
}
await loop.close();
