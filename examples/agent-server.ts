import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { RSILoop } from 'rsi-loop';
import { claudeHandler } from 'rsi-loop/sources/agents';

const loop = new RSILoop();
const answer = claudeHandler(loop); // body of a hook in, answer for the agent out; never throws, never waits

const server = createServer(async (request, response) => {
  response.end(JSON.stringify(answer(JSON.parse(await text(request)))));
});
await once(server.listen(0, '127.0.0.1'), 'listening');

// Claude Code posts this to a hook of the type `http`:
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const hook = { session_id: 's-1', hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', error: 'Exit code 127' };
const response = await fetch(url, { method: 'POST', body: JSON.stringify(hook) });
console.log(await response.json(), loop.health().byTask); // {} and the health of the task Bash

server.close();
await loop.close();
