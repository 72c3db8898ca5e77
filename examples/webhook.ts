import { RSILoop } from 'rsi-loop';
import { webhookNotifier } from 'rsi-loop/services/webhook';

const loop = new RSILoop();
const stop = webhookNotifier(loop, {
  url: 'https://hooks.example.com/services/T000',
  everyMs: 300_000, // at most one body in five minutes
  // Left out, the platform's is used; here it prints what would be sent.
  fetch: async (_, init) => {
    console.log(init?.body);
    return new Response('ok');
  },
});

for (let call = 0; call < 100; call++) {
  loop.observer.recordSimple('api_call', call % 5 ? { success: true } : { success: false, error: 'ECONNRESET' });
}
await loop.runCycle();
await stop(); // sends what waits
await loop.close();
