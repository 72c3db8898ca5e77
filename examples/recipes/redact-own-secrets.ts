import { RSILoop, redact } from 'rsi-loop';

// Known shapes and names are found without any setting.
console.log(redact('401 for key sk-proj-Zx81mQp7Lk2Vt9Bw4Nc6Hd3Jf5Gs0Ra, password=hunter2hunter2'));

// Your own shapes: clean the text before you record it.
const CUSTOMER = /\bCUST-\d{6}\b/g;
const clean = (error: unknown) => String(error).replace(CUSTOMER, '[customer]');

const loop = new RSILoop();
for (const id of ['CUST-104233', 'CUST-553201', 'CUST-770912']) {
  loop.observer.recordSimple('lookup', { success: false, error: clean(new Error(`no account for ${id}`)) });
}
const { patterns } = await loop.runCycle();
console.log(patterns[0]?.examples);
await loop.close();
