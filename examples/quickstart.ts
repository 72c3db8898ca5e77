import { RSILoop } from 'rsi-loop';

const loop = new RSILoop();
const pages = ['data:,hello', 'data:,hello', 'data:,hello', 'http://127.0.0.1:59999/']; // nothing listens on the last one
for (let call = 0; call < 40; call++) {
  await loop.run('fetch_page', ({ signal }) => fetch(pages[call % 4] ?? '', { signal })).catch(() => {});
}
const { patterns } = await loop.runCycle();
for (const { task, template, rate, actor } of patterns) {
  console.log(`${task} fails ${rate.value * 100} % of ${rate.of} times: ${template}`);
  console.log(`${actor.who} must act: ${actor.todo}`);
}
await loop.close();
