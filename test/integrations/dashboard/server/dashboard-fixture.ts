import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { RSILoop } from 'rsi-loop';
import { createDashboard, type Dashboard, type DashboardOptions } from 'rsi-loop/dashboard';
import { BASE, type StatusView } from '../../../../integrations/dashboard/views.js';
import { type Reply, type Sending, sendRequest } from '../../send-request.js';

/** A page without a script, in a folder as the build leaves it. */
export function writeAssets(folder: string): string {
  const assets = join(folder, 'page');
  mkdirSync(assets, { recursive: true });
  writeFileSync(join(assets, 'index.html'), `<!doctype html><head>${BASE}<title>Dashboard</title></head>`);
  writeFileSync(join(assets, 'dashboard.js'), `const page = '${'x'.repeat(4_000)}';`);
  return assets;
}

/** Records a task that fails on the network in half of 60 calls, in four sessions. */
export function recordWeek(loop: RSILoop): void {
  for (let index = 0; index < 60; index++) {
    const scope = { session: `s${index % 4}`, model: 'sonnet' };
    const end = index % 2 === 0 ? { success: true } : { success: false, error: 'read ECONNRESET' };
    loop.observer.recordSimple('fetch_page', { ...scope, ...end });
  }
}

/** Body of an answer as it was sent, without unpacking. */
export function fetchBytes(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { headers: { connection: 'close', ...headers } });
    sending.on('error', reject).on('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ headers: response.headers, bytes: Buffer.concat(chunks) });
    });
    sending.end();
  });
}

/** A dashboard on a real server. `send` is one request on a connection of its own, like a program or a page sends it. */
export class TestDashboard {
  readonly dashboard: Dashboard;
  readonly #server: Server;

  private constructor(dashboard: Dashboard) {
    this.dashboard = dashboard;
    this.#server = createServer((incoming, response) => {
      if (!dashboard.handle(incoming, response)) response.writeHead(404).end('of the host');
    });
  }

  static async open(
    loop: RSILoop,
    folder: string,
    { host = '127.0.0.1', ...options }: Omit<DashboardOptions, 'loop'> & { readonly host?: string } = {},
  ): Promise<TestDashboard> {
    const test = new TestDashboard(createDashboard({ loop, assets: writeAssets(folder), ...options }));
    await new Promise<void>((done) => test.#server.listen(0, host, done));
    return test;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // it listens on TCP
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  send(path: string, sending: Sending = {}): Promise<Reply> {
    return sendRequest(`${this.url}${path}`, sending);
  }

  post(path: string, value: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.send(path, {
      body: JSON.stringify(value),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  /** Opens a page like a browser: signs in by the link or a token, and reads the status. */
  async visit(token?: string): Promise<Visit> {
    const signedIn =
      token === undefined ? await this.send(this.dashboard.openPath) : await this.post('/api/login', { token });
    const cookie = String(signedIn.headers['set-cookie'] ?? '').split(';')[0] ?? '';
    const headers = cookie === '' ? {} : { cookie };
    const { json } = await this.send('/api/status', { headers });
    return { cookie, headers, status: json as unknown as StatusView, signedIn };
  }

  async close(): Promise<void> {
    await this.dashboard.close();
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}

/** Session of a browser that opened the page. */
export interface Visit {
  readonly cookie: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: StatusView;
  readonly signedIn: Reply;
}
