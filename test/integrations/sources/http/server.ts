import { RSILoop, type RSILoopOptions } from 'rsi-loop';
import { type LoopServer, type ProblemBody, type ReceivedBody, type ServeOptions, serve } from 'rsi-loop/sources/http';
import { type Reply, type Sending, sendRequest } from '../../send-request.js';

/** The answer; nothing if it was not JSON. */
export type Answer = Partial<ReceivedBody & ProblemBody> & Readonly<Record<string, unknown>>;

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

  /** Secret of this process, if the server has no other one. */
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
  send(path: string, { headers, ...sending }: Sending = {}): Promise<Reply<Answer>> {
    return sendRequest(`${this.url}${path}`, { ...sending, headers: { ...this.#toDecide(path), ...headers } });
  }

  post(path: string, value: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply<Answer>> {
    return this.send(path, {
      body: JSON.stringify(value),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  lines(text: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<Reply<Answer>> {
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
