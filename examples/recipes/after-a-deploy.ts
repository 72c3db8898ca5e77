import { mark, RSILoop } from 'rsi-loop';

const loop = new RSILoop({ healthThreshold: 0.9 });
loop.on('health-below', ({ health }) => console.log(`health ${health.score.toFixed(2)} is too low`));
await mark(loop, 'deploy', '1.4.2'); // shown on the time line of the dashboard

for (let call = 0; call < 60; call++) loop.observer.recordSimple('checkout', { success: call % 4 > 0 });
const { health } = await loop.runCycle();
console.log(health.score.toFixed(2));
console.log(loop.healthHistory().flatMap((item) => (item.kind === 'marker' ? [item.marker.label] : [])));
await loop.close();
