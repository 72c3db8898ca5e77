import { connect, createServer, type Server, type Socket } from 'node:net';

/** Proxy on loopback that breaks connections on purpose. */
export class TcpProxy {
  #port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #bytesLeft = Number.POSITIVE_INFINITY;
  #isStalled = false;
  /** Number of connections that were cut. */
  cuts = 0;

  private constructor(port: number) {
    this.#port = port;
    this.#server = createServer((client) => this.#pass(client));
  }

  static async open(port: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(port);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Cuts the next connection that has passed this many bytes in both directions together. */
  cutAfter(bytes: number): void {
    this.#bytesLeft = bytes;
  }

  /** Passes nothing on, and leaves connections open, as a network that drops packets. */
  stall(): void {
    this.#isStalled = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Passes new connections to another server, and cuts those to the old one. */
  moveTo(port: number): void {
    this.#port = port;
    for (const socket of this.#sockets) socket.destroy();
  }

  resume(): void {
    this.#isStalled = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pass(client: Socket): void {
    const server = connect(this.#port, '127.0.0.1');
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', end);
      from.on('close', () => {
        this.#sockets.delete(from);
        end();
      });
      from.on('data', (bytes) => {
        this.#bytesLeft -= bytes.length;
        if (this.#bytesLeft >= 0) {
          to.write(bytes);
          return;
        }
        // The part before the limit arrives.
        to.write(bytes.subarray(0, bytes.length + this.#bytesLeft), end);
        this.#bytesLeft = Number.POSITIVE_INFINITY;
        this.cuts++;
      });
      if (this.#isStalled) from.pause();
    }
  }
}
