import { RSILoop } from 'rsi-loop';

const loop = new RSILoop();
for (let call = 0; call < 40; call++) {
  await loop.run('summarize', async () => (call % 5 === 0 ? '' : 'A short summary.'));
}
for (let call = 0; call < 40; call++) {
  // `accept` says what else is no answer: its reason becomes the message.
  const accept = (answer: string) => answer.startsWith('{') || 'the answer is not JSON';
  await loop.run('extract', async () => (call % 4 === 0 ? 'Sure! Here is the JSON:' : '{"total": 12}'), { accept });
}
const { patterns } = await loop.runCycle();
for (const { task, issue, template, count, rate } of patterns) {
  console.log(`${task}: ${issue}, ${count} of ${rate.of}. ${template}`);
}
await loop.close();
