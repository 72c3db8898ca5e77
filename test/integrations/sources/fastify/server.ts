import { request } from 'node:http';
import { RSILoop, type RSILoopOptions } from 'rsi-loop';
import {
  type LoopServer,
  type ProblemBody,
  type ReceivedBody,
  type ServeOptions,
  serve,
} from 'rsi-loop/sources/fastify';

/** Whatever was answered; nothing when it was no JSON. */
export type Answer = Partial<ReceivedBody & ProblemBody> & Readonly<Record<string, unknown>>;

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly json: Answer;
}

export interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A loop with a real server on the loopback. */
export class TestServer {
  readonly loop: RSILoop;
  readonly problems: string[] = [];
  #server: LoopServer | undefined;

  constructor(options: RSILoopOptions = {}) {
    this.loop = new RSILoop(options);
    this.loop.on('problem', ({ where, message }) => this.problems.push(`${where}: ${message}`));
  }

  async open(options: Omit<ServeOptions, 'loop'> = {}): Promise<this> {
    this.#server = await serve({ loop: this.loop, port: 0, ...options });
    return this;
  }

  /** What only this process knows, where the server has no other secret. */
  #toDecide(path: string): Record<string, string> {
    const token = this.#server?.decisionToken;
    return token !== undefined && path.startsWith('/fixes/') ? { authorization: `Bearer ${token}` } : {};
  }

  get decisionToken(): string | undefined {
    return this.#server?.decisionToken;
  }

  get url(): string {
    return this.#server?.url ?? '';
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** One request on a connection of its own. */
  send(path: string, { method, headers = {}, body }: Sending = {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const sending = request(`${this.url}${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { connection: 'close', ...this.#toDecide(path), ...headers },
      });
      sending.on('error', reject).on('response', async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) });
      });
      sending.end(body);
    });
  }

  post(path: string, value: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.send(path, {
      body: JSON.stringify(value),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  lines(text: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.send('/observe', { body: text, headers: { 'content-type': 'application/x-ndjson', ...headers } });
  }

  /** Closes the server; the loop stays open. */
  async closeServer(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }

  async close(): Promise<void> {
    await this.closeServer();
    await this.loop.close();
  }
}

function parsed(text: string): Answer {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
