import { RSILoop, recall } from 'rsi-loop';

const loop = new RSILoop();
loop.observer.recordSimple('review', { success: false, error: 'credit notes with negative totals are not supported' });
loop.observer.record({ task: 'review', success: true, actual: 'booked the credit note as a line of the old invoice' });
loop.observer.recordSimple('review', { success: false, error: 'Unexpected token < in JSON at position 0' });
await loop.runCycle();

const { recalled, temperature } = await recall(loop, { task: 'review', text: 'a credit note over -40.00' });
for (const { kind, text } of recalled) console.log(`${kind}: ${JSON.stringify(text)}`);
console.log(temperature); // the last one failed: { kind: 'explore', temperature: 0.4, ... }
await loop.close();
