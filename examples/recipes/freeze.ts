import { RSILoop } from 'rsi-loop';

const loop = new RSILoop();
for (let call = 0; call < 300; call++) {
  const work = async () => {
    if (call % 5 === 0) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  };
  await loop.run('fetch_page', work, { idempotent: true }).catch(() => {});
}
await loop.runCycle();
await loop.runCycle();
console.log(
  'before:',
  loop
    .fixes()
    .map(({ status }) => status)
    .join(', '),
);

await loop.freeze({ by: 'ada', reason: 'incident 42' }); // in a shell: rsi freeze --reason "incident 42"
console.log(
  'frozen:',
  loop
    .fixes()
    .map(({ status }) => status)
    .join(', '),
);

await loop.unfreeze({ by: 'ada', reason: 'incident 42 is over' });
await loop.close();
