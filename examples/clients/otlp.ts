import { RSILoop } from 'rsi-loop';
import { sendOtlp } from 'rsi-loop/clients/otlp';

const loop = new RSILoop();
loop.observer.recordSimple('api_call', { success: false, error: '429 Too Many Requests', model: 'sonnet' });

const sent = await sendOtlp(loop, {
  url: 'http://localhost:4318/v1/traces',
  // Left out, the platform's is used; here it prints what would be sent.
  fetch: async (_, init) => {
    console.log(init?.body);
    return new Response('{}');
  },
});
console.log(`${sent} span`);
await loop.close();
