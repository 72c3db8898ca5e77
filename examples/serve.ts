import { RSILoop } from 'rsi-loop';
import { serve } from 'rsi-loop/sources/http';

const loop = new RSILoop();
const server = await serve({ loop, port: 0 }); // 0 takes any port that is free; left out, it is 7747
loop.start();

const sent = await fetch(`${server.url}/observe`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ task: 'api_call', error_message: '429 Too Many Requests', model: 'sonnet' }),
});
console.log(sent.status, await sent.json()); // 201 { id: '...', issues: [ 'rate_limit' ] }

await server.close(); // answers what is under way
await loop.close();
