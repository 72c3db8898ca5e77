import { mark, RSILoop } from 'rsi-loop';

const deployment = { service: 'checkout', version: '1.4.2', region: 'eu-3', host: 'web-7' };
const loop = new RSILoop({ deployment }); // on many machines: { store: 'postgres://agent@db.example/app', deployment }
await mark(loop, 'deploy', 'checkout 1.4.2');

for (let call = 0; call < 200; call++) {
  const success = call % 4 > 0;
  loop.observer.recordSimple('pay', { success, ...(!success && { error: 'schema mismatch in field amount' }) });
}
// Outcomes of the release before, from other processes:
for (let call = 0; call < 200; call++) {
  loop.observer.record({ task: 'pay', success: true, service: 'checkout', version: '1.4.1', region: 'eu-3' });
}
const { patterns } = await loop.runCycle();
console.log(patterns[0]?.where); // [ { version: '1.4.2' } ]
console.log(Object.keys(loop.health().byVersion)); // [ '1.4.2', '1.4.1' ]
await loop.close();
