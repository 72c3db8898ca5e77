import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Local server that answers as OpenAI and Anthropic do without a valid key. */
export interface StandIn {
  /** Variables that send the clients of both providers to it. */
  readonly env: NodeJS.ProcessEnv;
  stop(): void;
}

export async function startStandIn(): Promise<StandIn> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const error = { type: 'authentication_error', code: 'invalid_api_key', message: 'Incorrect API key provided' };
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ type: 'error', error }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const url = `http://127.0.0.1:${port}`;
  return { env: { OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: url }, stop: () => server.close() };
}

/** Creates a home folder with one session of Claude Code, in which 3 of 12 calls of a tool failed. */
export function makeHome(home: string): void {
  const folder = join(home, '.claude', 'projects', '-home-me-shop');
  mkdirSync(folder, { recursive: true });
  const lines = Array.from({ length: 12 }, (_, call) => toolCall(call)).flat();
  writeFileSync(join(folder, 'session.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function toolCall(call: number): readonly object[] {
  const id = `call-${call}`;
  const fails = call % 4 === 0;
  const timestamp = new Date(Date.now() - (60 - call) * 60_000).toISOString();
  const about = { sessionId: 'session', cwd: '/home/me/shop', timestamp };
  const use = { type: 'tool_use', id, name: 'Bash', input: { command: 'npm test' } };
  const content = fails ? 'Exit code 1: 2 tests failed' : '40 tests passed';
  const result = { type: 'tool_result', tool_use_id: id, is_error: fails, content };
  return [
    { ...about, type: 'assistant', uuid: `${id}-a`, message: { role: 'assistant', model: 'm', content: [use] } },
    { ...about, type: 'user', uuid: `${id}-b`, message: { role: 'user', content: [result] } },
  ];
}
