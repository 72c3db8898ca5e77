import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { ServerChild } from './server-child.js';

export interface HostileScale {
  /** Connections that are opened and kept open without ever sending a whole request. */
  readonly connections: number;
  /** Of each body that is too long. */
  readonly bytes: number;
  /** Requests of the sender whose speed is compared. */
  readonly goodRequests: number;
}

export interface HostileReport {
  /** Connections that were open together, as far as the server let them. */
  readonly opened: number;
  /** Good requests sent and answered 201 while all this went on. */
  readonly good: number;
  readonly goodFailed: number;
  readonly slowestGoodMs: number;
  /** Requests that the server accepted beyond the good ones. */
  readonly wronglyAccepted: number;
  /** Growth of the memory of the server: at its peak, and when all is over. */
  readonly peakBytes: number;
  readonly leftBytes: number;
  /** How each oversized or broken body was answered: its status, or how the connection ended. */
  readonly answers: Readonly<Record<string, string>>;
}

const GOOD = JSON.stringify({ task: 'api_call', success: true, model: 'sonnet' });
const HEAD = 'POST /observe HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ';
const JSON_HEAD = `${HEAD}application/json\r\n`;
const LINES_HEAD = `${HEAD}application/x-ndjson\r\n`;

/** Attacks a server while another client keeps sending outcomes. */
export async function sendHostile(server: ServerChild, scale: HostileScale): Promise<HostileReport> {
  const sender = new GoodSender(server.url);
  await sender.send(scale.goodRequests);
  const before = await server.state();
  const acceptedBefore = await acceptedBy(server);
  const goodBefore = sender.answered;
  const watch = new MemoryWatch(server);
  const good = sender.untilStopped();

  const port = Number(new URL(server.url).port);
  const crowd = await openCrowd(port, scale.connections);
  const opened = crowd.filter((socket) => !socket.destroyed).length;
  const answers = await sendBroken(port, scale.bytes);
  sender.stop();
  await good;
  for (const socket of crowd) socket.destroy();
  const peakBytes = (await watch.stop()) - before.rss;
  const wronglyAccepted = (await acceptedBy(server)) - acceptedBefore - (sender.answered - goodBefore);
  return {
    opened,
    good: sender.answered - goodBefore,
    goodFailed: sender.failed,
    slowestGoodMs: sender.slowestMs,
    wronglyAccepted,
    peakBytes,
    leftBytes: (await server.state()).rss - before.rss,
    answers,
  };
}

/** A third says nothing, a third half of its headers, a third half of its body. */
async function openCrowd(port: number, count: number): Promise<Socket[]> {
  const beginnings = ['', 'POST /observe HTTP/1.1\r\nHost: 127.', `${JSON_HEAD}Content-Length: 100\r\n\r\n${GOOD}`];
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
    const beginning = beginnings[index % beginnings.length] ?? '';
    await new Promise<void>((resolve) => {
      socket.once('connect', () => {
        socket.write(beginning);
        resolve();
      });
      socket.once('close', () => resolve());
    });
  }
  return sockets;
}

async function sendBroken(port: number, bytes: number): Promise<Record<string, string>> {
  const chunked = 'Transfer-Encoding: chunked\r\n\r\n';
  const cut = `{"task":"a","success":tr`;
  const cases: Readonly<Record<string, () => Promise<string>>> = {
    'JSON that says how long it is': () => pour(port, `${JSON_HEAD}Content-Length: ${bytes}\r\n\r\n`, ' ', bytes),
    'JSON in chunks': () => pour(port, JSON_HEAD + chunked, ' ', bytes, { inChunks: true }),
    'one endless line': () => pour(port, LINES_HEAD + chunked, 'x', bytes, { inChunks: true }),
    'lines of nonsense': () => pour(port, LINES_HEAD + chunked, 'nonsense\n', bytes, { inChunks: true }),
    'headers without an end': () =>
      pour(port, 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ', 'y', Math.min(bytes, 1_000_000)),
    'no HTTP': () => pour(port, 'EHLO mail\r\n\r\n', '', 0),
    'bad UTF-8': () =>
      pour(port, `${JSON_HEAD}Content-Length: 26\r\n\r\n`, Buffer.from('{"task":"\xff","success":true}', 'latin1'), 0),
    'a body that ends early': () => pour(port, `${JSON_HEAD}Content-Length: 100\r\n\r\n${GOOD}`, '', 0, { end: true }),
    'a chunk that ends early': () => pour(port, `${JSON_HEAD}${chunked}64\r\n${GOOD}`, '', 0, { end: true }),
    'a line that ends early': () => pour(port, `${LINES_HEAD}${chunked}64\r\n${cut}`, '', 0, { end: true }),
    'a line without its end, well counted': () =>
      pour(port, `${LINES_HEAD}Content-Length: ${cut.length}\r\n\r\n${cut}`, '', 0, { end: true }),
    'two lengths': () => pour(port, `${JSON_HEAD}Content-Length: 5\r\nContent-Length: 50\r\n\r\n${GOOD}`, '', 0),
    'a length and chunks': () =>
      pour(port, `${JSON_HEAD}Content-Length: 5\r\n${chunked}5\r\n${GOOD.slice(0, 5)}\r\n0\r\n\r\n`, '', 0),
  };
  const answers: Record<string, string> = {};
  for (const [name, send] of Object.entries(cases)) answers[name] = await send();
  return answers;
}

interface PourOptions {
  readonly inChunks?: boolean;
  /** Half-closes the connection when all is sent. */
  readonly end?: boolean;
}

/** Writes a beginning and then `filling` over and over, as long as the server takes it. Gives the status of the answer. */
function pour(
  port: number,
  head: string,
  filling: string | Buffer,
  bytes: number,
  options: PourOptions = {},
): Promise<string> {
  const { inChunks = false, end = false } = options;
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    let isOver = false;
    const finish = () => {
      isOver = true;
      socket.destroy();
      resolve(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'closed');
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      answer += chunk;
      if (answer.includes('\r\n\r\n')) finish();
    });
    socket.on('error', finish).on('close', finish);
    const block =
      typeof filling === 'string'
        ? Buffer.from(filling.repeat(Math.ceil(65_536 / Math.max(1, filling.length))))
        : filling;
    const piece = inChunks
      ? Buffer.concat([Buffer.from(`${block.length.toString(16)}\r\n`), block, Buffer.from('\r\n')])
      : block;
    let sent = 0;
    const more = () => {
      while (!isOver && sent < bytes) {
        sent += block.length;
        if (!socket.write(piece)) return;
      }
      if (end) socket.end();
    };
    socket.on('drain', more).on('connect', () => {
      socket.write(head);
      if (typeof filling !== 'string') socket.write(block);
      more();
    });
  });
}

/** Sends one outcome after another: two of three on a connection it keeps, one on a new one. */
class GoodSender {
  answered = 0;
  failed = 0;
  slowestMs = 0;
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #isStopped = false;

  constructor(url: string) {
    this.#url = url;
  }

  async send(count: number): Promise<void> {
    for (let index = 0; index < count; index++) await this.#one(index);
    this.slowestMs = 0;
  }

  async untilStopped(): Promise<void> {
    for (let index = 0; !this.#isStopped; index++) await this.#one(index);
    this.#agent.destroy();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #one(index: number): Promise<void> {
    const startedMs = performance.now();
    const status = await new Promise<number | undefined>((resolve) => {
      const headers = { 'content-type': 'application/json', 'content-length': GOOD.length };
      const sending = request(`${this.#url}/observe`, {
        method: 'POST',
        headers,
        agent: index % 3 === 0 ? false : this.#agent,
      });
      sending.on('error', () => resolve(undefined));
      sending.on('response', (response) => response.resume().once('end', () => resolve(response.statusCode)));
      sending.end(GOOD);
    });
    if (status === 201) this.answered++;
    else this.failed++;
    this.slowestMs = Math.max(this.slowestMs, performance.now() - startedMs);
  }
}

/** Looks at the memory of the server ten times a second. */
class MemoryWatch {
  readonly #server: ServerChild;
  readonly #watching: Promise<void>;
  #peak = 0;
  #isStopped = false;

  constructor(server: ServerChild) {
    this.#server = server;
    this.#watching = this.#watch();
  }

  async stop(): Promise<number> {
    this.#isStopped = true;
    await this.#watching;
    return this.#peak;
  }

  async #watch(): Promise<void> {
    while (!this.#isStopped) {
      this.#peak = Math.max(this.#peak, (await this.#server.memory()).rss);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function acceptedBy(server: ServerChild): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`, { headers: { connection: 'close' } })).text();
  return Number(/^rsi_outcomes_total\{result="accepted"\} (\d+)$/m.exec(text)?.[1]);
}
