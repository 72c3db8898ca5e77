import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { PostgresStore } from 'rsi-loop/stores/postgres';
import { afterEach, describe, expect, it } from 'vitest';

/** Message of the server: its letter, its length, its content. */
function message(letter: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5, letter);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

const READY = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
const ENDS = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'));

/** Server that lets in everyone, and ends each connection in the same moment, before its first statement. */
async function endingServer(): Promise<{ readonly url: string; readonly end: () => Promise<unknown> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => socket.write(Buffer.concat([READY, ENDS])));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  const end = async () => {
    const closed = once(server, 'close');
    for (const socket of sockets) socket.destroy();
    server.close();
    await closed;
  };
  return { url: `postgres://admin@127.0.0.1:${port}/app`, end };
}

const closing: (() => Promise<unknown>)[] = [];
const uncaught: Error[] = [];
const keep = (error: Error) => uncaught.push(error);
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  process.off('uncaughtException', keep);
});

describe('a server that ends while a process uses it', () => {
  it('does not end that process, with a pool of the store and with one of the host', async () => {
    process.on('uncaughtException', keep);
    const server = await endingServer();
    closing.push(server.end);
    const pool = new pg.Pool({ connectionString: server.url });
    closing.push(() => pool.end());
    for (const store of [new PostgresStore({ url: server.url }), new PostgresStore({ pool })]) {
      closing.push(() => store.close());
      for (let attempt = 0; attempt < 3; attempt++) {
        await expect(store.ledger.head()).rejects.toThrow('PostgreSQL at');
      }
    }
    expect(uncaught).toEqual([]);
  });
});
