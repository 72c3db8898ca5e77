import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly body: unknown;
}

export interface Receiver {
  /** Address with a secret path. */
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves when so many requests came. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a real server on loopback that keeps what it gets. `answer` gets the number of the request, from 1. */
export async function receive(
  answer: (count: number, response: ServerResponse) => void = (_, response) => void response.end('ok'),
): Promise<Receiver> {
  const received: Received[] = [];
  let wake = () => {};
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) });
      answer(received.length, response);
      wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return {
    url: `http://127.0.0.1:${port}/services/T0/geheim`,
    received,
    async until(count) {
      while (received.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
