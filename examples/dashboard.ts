import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RSILoop } from 'rsi-loop';
import { createDashboard } from 'rsi-loop/dashboard';

const loop = new RSILoop();
loop.start();
const dashboard = createDashboard({ loop, prefix: '/dashboard/' });

const server = createServer((request, response) => {
  if (dashboard.handle(request, response)) return;
  response.end('your own pages stay as they are');
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
const { port } = server.address() as AddressInfo;
console.log(`open http://127.0.0.1:${port}${dashboard.openPath}`); // the link signs in, so that you can decide

const page = await fetch(`http://127.0.0.1:${port}/dashboard/`);
console.log(page.status, page.headers.get('content-type')); // 200 text/html; charset=utf-8
await dashboard.close();
server.close();
await loop.close();
