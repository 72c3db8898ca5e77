import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { isObject, mustBe, showValue } from 'rsi-loop/kit';

/** Object of unknown origin, such as the parameters of a request. */
type Row = Readonly<Record<string, unknown>>;

/** Answers a request. `signal` aborts when the client cancels it. */
export type Method = (params: Row, signal: AbortSignal) => unknown;

/** Streams of a connection. Each message is one line of JSON. */
export interface Connection {
  readonly input: Readable;
  readonly output: Writable;
  /** Ends the connection. */
  readonly signal?: AbortSignal;
}

/** Error that the client gets with this code. Other errors get the code for an internal error. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Codes of JSON-RPC 2.0. */
export const RPC = { parse: -32_700, request: -32_600, method: -32_601, params: -32_602, internal: -32_603 } as const;

type Id = string | number;
/** Requests that are answered at the same time. The next one is read when one of them is done. */
const MAX_OPEN = 32;
/** Longest message, in UTF-16 units. */
const MAX_LINE = 8_000_000;

/** Answers requests of JSON-RPC 2.0, until the input ends and all of them are answered, or the signal aborts. */
export async function answerRequests(
  methods: Readonly<Record<string, Method>>,
  { input, output, signal }: Connection,
): Promise<void> {
  mustBe(isObject(input) && isObject(output), 'input', showValue(input), 'a readable stream, and one as output');
  const requests = new OpenRequests(methods, (message) => writeLine(output, JSON.stringify(message)));
  if (signal) addAbortSignal(signal, input);
  try {
    for await (const line of linesOf(input)) await requests.take(line);
  } catch (error) {
    if (!signal?.aborted) throw error;
    requests.cancelAll();
  }
  await requests.answered();
}

/** Yields lines. Ends with `undefined` at one that is too long, since nothing after it can be trusted. */
async function* linesOf(input: Readable): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  let begun = '';
  for await (const chunk of input) {
    const [end = '', ...lines] = (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })).split(
      '\n',
    );
    begun += end;
    if (begun.length > MAX_LINE) return yield undefined;
    if (lines.length === 0) continue;
    yield begun;
    begun = lines.pop() ?? '';
    yield* lines;
  }
  yield begun;
}

class OpenRequests {
  readonly #methods: Readonly<Record<string, Method>>;
  readonly #send: (message: object) => Promise<void>;
  readonly #open = new Map<Id, { readonly controller: AbortController; readonly done: Promise<void> }>();

  constructor(methods: Readonly<Record<string, Method>>, send: (message: object) => Promise<void>) {
    this.#methods = methods;
    this.#send = send;
  }

  /** Starts to answer a message. Resolves when the next one may be read. */
  async take(line: string | undefined): Promise<void> {
    if (line?.trim() === '') return;
    const message = parsed(line);
    if (message instanceof RpcError) return this.#fail(null, message);
    const { id, method } = message;
    if (id === undefined) return this.#notice(message);
    if (typeof id !== 'string' && typeof id !== 'number')
      return this.#fail(null, new RpcError(RPC.request, 'the id of a request is a text or a number'));
    // A response: this side sends no requests.
    if (typeof method !== 'string') return;
    if (this.#open.has(id)) return this.#fail(id, new RpcError(RPC.request, 'a request with this id is still open'));
    const controller = new AbortController();
    const done = this.#answer(id, method, rowOf(message.params), controller.signal);
    this.#open.set(id, { controller, done });
    if (this.#open.size >= MAX_OPEN) await Promise.race([...this.#open.values()].map((one) => one.done));
  }

  cancelAll(): void {
    for (const { controller } of this.#open.values()) controller.abort();
  }

  async answered(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ done }) => done));
  }

  #notice({ method, params }: Row): void {
    if (method !== 'notifications/cancelled') return;
    const { requestId } = rowOf(params);
    this.#open.get(requestId as Id)?.controller.abort(); // any other value is no key
  }

  async #answer(id: Id, name: string, params: Row, signal: AbortSignal): Promise<void> {
    // The request is stored as open before its method begins.
    await Promise.resolve();
    try {
      const method = Object.hasOwn(this.#methods, name) ? this.#methods[name] : undefined;
      if (!method) throw new RpcError(RPC.method, `there is no method ${JSON.stringify(name.slice(0, 100))}`);
      const result = await method(params, signal);
      // A cancelled request gets no response.
      if (!signal.aborted) await this.#send({ jsonrpc: '2.0', id, result });
    } catch (error) {
      if (!signal.aborted) await this.#fail(id, error);
    } finally {
      this.#open.delete(id);
    }
  }

  #fail(id: Id | null, error: unknown): Promise<void> {
    const code = error instanceof RpcError ? error.code : RPC.internal;
    const message = error instanceof Error ? error.message : String(error);
    return this.#send({ jsonrpc: '2.0', id, error: { code, message } });
  }
}

function parsed(line: string | undefined): Row | RpcError {
  if (line === undefined) return new RpcError(RPC.parse, `a message has at most ${MAX_LINE} characters`);
  try {
    const message: unknown = JSON.parse(line);
    if (isRow(message) && message.jsonrpc === '2.0') return message;
    return new RpcError(RPC.request, 'a message is an object with jsonrpc "2.0"');
  } catch {
    return new RpcError(RPC.parse, 'a message is one line of JSON');
  }
}

function writeLine(output: Writable, text: string): Promise<void> {
  return new Promise((done, fail) => {
    output.write(`${text}\n`, (error) => (error ? fail(error) : done()));
  });
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function rowOf(value: unknown): Row {
  return isRow(value) ? value : {};
}
