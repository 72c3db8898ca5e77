import { RSILoop } from 'rsi-loop';
import { Recorder } from 'rsi-loop/record';
import { serve } from 'rsi-loop/sources/http';

const loop = new RSILoop(); // elsewhere: npx rsi-loop serve
const server = await serve({ loop, port: 0 });

const recorder = new Recorder({ url: server.url, source: 'checkout-page' });
recorder.observer.recordSimple('api_call', { success: false, error: '429 Too Many Requests', model: 'sonnet' });
console.log(await recorder.flush()); // 0 outcomes still wait
console.log((await loop.runCycle()).health);

await recorder.close();
await server.close();
await loop.close();
