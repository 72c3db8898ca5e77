import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Network } from 'rsi-loop/sandbox';

/** Text that no program may see. */
export const SECRET = 'secret-7f3a';

const PIECE = Buffer.alloc(50_000, 'x');

/** Address of the internet, which the network of the tests leads to its server. */
const PUBLIC = '93.184.215.14';

/** Folders, a server and a network for programs that try to use more than they may. */
export class Place {
  /** Connections that were opened, as `address:port`. */
  readonly connected: string[] = [];
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'rsi-escape-')));
  readonly data = join(this.base, 'data');
  readonly network: Network = {
    resolve: (name) => this.#resolve(name),
    connect: (address, port) => this.#connect(address, port),
  };
  #server: Server | undefined;
  #asked = 0;

  constructor() {
    mkdirSync(join(this.data, 'inner'), { recursive: true });
    mkdirSync(join(this.base, 'data-other'));
    mkdirSync(join(this.base, 'out'));
    writeFileSync(join(this.data, 'a.txt'), 'allowed');
    writeFileSync(join(this.base, 'secret.txt'), SECRET);
    writeFileSync(join(this.base, 'data-other', 'secret.txt'), SECRET);
    symlinkSync(join(this.base, 'secret.txt'), join(this.data, 'link'));
    symlinkSync(this.base, join(this.data, 'up'));
    symlinkSync('/proc/self/environ', join(this.data, 'environment'));
    symlinkSync(join(this.base, 'secret.txt'), join(this.base, 'out', 'link'));
    symlinkSync(this.base, join(this.base, 'out', 'up'));
  }

  get port(): number {
    const address = this.#server?.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server does not listen');
    return address.port;
  }

  async start(): Promise<this> {
    this.#server = createServer((request, response) => {
      const [path = '', query = ''] = (request.url ?? '').split('?');
      if (path === '/to') return response.writeHead(302, { location: decodeURIComponent(query) }).end(SECRET);
      if (path === '/never') return;
      // In pieces, as the server shares its event loop with the sandbox that is measured.
      if (path === '/large') return Readable.from(Array(200).fill(PIECE)).pipe(response);
      response.end(JSON.stringify({ host: request.headers.host, method: request.method, path }));
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async remove(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
    rmSync(this.base, { recursive: true, force: true });
  }

  async #resolve(name: string): Promise<readonly string[]> {
    this.#asked += 1;
    if (name === 'rebind.example.com') return [this.#asked % 2 === 1 ? PUBLIC : '127.0.0.1'];
    if (name === 'mixed.example.com') return [PUBLIC, '10.0.0.1'];
    if (name === 'inside.example.com') return ['192.168.1.1'];
    if (name === 'mapped.example.com') return ['::ffff:127.0.0.1'];
    if (name === 'metadata.example.com') return ['169.254.169.254'];
    if (name === 'local6.example.com') return ['fe80::1'];
    if (name === 'nowhere.example.com') return [];
    return [PUBLIC];
  }

  #connect(address: string, port: number) {
    this.connected.push(`${address}:${port}`);
    return connect({ host: '127.0.0.1', port: address === '127.0.0.1' ? port : this.port });
  }
}
