import Fastify from 'fastify';
import { RSILoop } from 'rsi-loop';
import { loopRoutes } from 'rsi-loop/sources/fastify';

const loop = new RSILoop();
const app = Fastify();
app.get('/hello', async () => 'your own routes stay as they are');
await app.register(loopRoutes, { loop, prefix: '/rsi', token: 'only-for-this-example' });

const health = await app.inject({ url: '/rsi/health', headers: { authorization: 'Bearer only-for-this-example' } });
console.log(health.statusCode, health.json().score);
await app.close();
await loop.close();
