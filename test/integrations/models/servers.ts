import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import type { ModelStep } from 'rsi-loop/testing';

/** Answer of a server at a path, set by a test, instead of passing the request on. */
export type Route = (body: unknown, response: ServerResponse, request: IncomingMessage) => void;

export interface ModelTestServer {
  readonly url: string;
  readonly routes: Map<string, Route>;
  /** Bodies that came to any path, the oldest first. */
  readonly received: { readonly path: string; readonly body: unknown; readonly headers: IncomingMessage['headers'] }[];
  play(steps: readonly ModelStep[]): void;
  stop(): Promise<void>;
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/**
 * The independent model server, behind a proxy that answers itself where that server is no vLLM: the version, and the
 * metrics, as vLLM's documentation shows them.
 */
export async function vllmServer(): Promise<ModelTestServer> {
  const server = await behindDoor((text) => text);
  server.routes.set('GET /version', (_, response) => sendJson(response, { version: '0.12.0' }));
  server.routes.set('GET /metrics', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
    response.end(
      [
        '# HELP vllm:num_requests_running Number of requests in model execution batches.',
        '# TYPE vllm:num_requests_running gauge',
        'vllm:num_requests_running{engine="0",model_name="qwen3"} 3.0',
        'vllm:num_requests_running{engine="1",model_name="qwen3"} 4.0',
        'vllm:num_requests_waiting{engine="0",model_name="qwen3"} 2.0',
        'vllm:num_requests_waiting_by_reason{engine="0",model_name="qwen3",reason="capacity"} 2.0',
      ].join('\n'),
    );
  });
  return server;
}

/**
 * The independent model server, behind a proxy that answers itself where that server is no Ollama: the shape of
 * embeddings, the version, and how many tokens were read and made, as Ollama's documentation shows them.
 */
export async function ollamaServer(): Promise<ModelTestServer> {
  const server = await behindDoor(countTokens);
  server.routes.set('GET /api/version', (_, response) => sendJson(response, { version: '0.32.9' }));
  server.routes.set('POST /api/embed', (body, response) => {
    const { model, input } = body as { model: string; input: string[] };
    const embeddings = input.map((text) => [text.length / 100, text.includes('rate') ? 1 : 0, 0.5]);
    sendJson(response, { model, embeddings, total_duration: 14, load_duration: 1, prompt_eval_count: 8 });
  });
  return server;
}

/** Puts into the last record of an answer what Ollama says there. */
function countTokens(text: string, step: ModelStep | undefined): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const last = JSON.parse(lines.at(-1) ?? 'null');
  if (last?.done !== true) return text;
  const { input, output } = (step?.kind === 'text' && step.tokens) || {
    input: 26,
    output: step?.kind === 'cut' ? 3 : 298,
  };
  Object.assign(last, {
    prompt_eval_count: input,
    eval_count: output,
    done_reason: step?.kind === 'cut' ? 'length' : 'stop',
  });
  return [...lines.slice(0, -1), JSON.stringify(last), ''].join('\n');
}

async function behindDoor(change: (text: string, step: ModelStep | undefined) => string): Promise<ModelTestServer> {
  const steps: ModelStep[] = [];
  let played: ModelStep | undefined;
  const mock = new LLMock({ port: 0, chunkSize: 12, logLevel: 'silent' });
  const isNext = (...kinds: readonly ModelStep['kind'][]) => kinds.includes(steps[0]?.kind ?? 'text');
  const isChat = (asked: { _endpointType?: string }) => asked._endpointType !== 'embedding';
  const next = () => {
    played = steps.shift();
    return played;
  };
  mock.on({ predicate: (asked) => isChat(asked) && isNext('broken') }, () => textOf(next()), {
    truncateAfterChunks: 2,
  });
  mock.on({ predicate: isChat }, () => textOf(next()));
  await mock.start();

  const received: ModelTestServer['received'] = [];
  const routes = new Map<string, Route>();
  const door = createServer((incoming, response) => {
    readAll(incoming).then((raw) => {
      const body = raw === '' ? undefined : JSON.parse(raw);
      const path = `${incoming.method} ${incoming.url}`;
      received.push({ path, body, headers: incoming.headers });
      const route = routes.get(path);
      if (route) return route(body, response, incoming);
      passOn(mock.url, incoming, raw, response, (text) => change(text, played));
    });
  });
  const port = await listen(door);
  return {
    url: `http://127.0.0.1:${port}`,
    routes,
    received,
    play: (more) => void steps.push(...more),
    stop: async () => {
      door.closeAllConnections();
      door.close();
      await mock.stop().catch(() => undefined);
    },
  };
}

function textOf(step: ModelStep | undefined) {
  switch (step?.kind) {
    case undefined:
      return { content: 'nothing left to say' };
    case 'text': {
      const { text: content, tokens } = step;
      const usage = tokens && { usage: { prompt_tokens: tokens.input, completion_tokens: tokens.output } };
      return { content, ...usage };
    }
    case 'json':
      return { content: JSON.stringify(step.json) };
    case 'cut':
      return { content: step.text, finishReason: 'length' };
    case 'broken':
      return { content: `${step.text} and then it goes on for long enough to be broken off` };
    case 'down':
      return { error: { message: 'the engine is overloaded', type: 'server_error' }, status: 503 };
    case 'refused':
      return { error: { message: 'no such thing', type: 'invalid_request_error' }, status: 400 };
    case 'slow':
      return new Promise<never>(() => {});
    default:
      return step satisfies never;
  }
}

/** A server of a test's own, for what no model server does on purpose. */
export async function plainServer(handle: Route): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer((incoming, response) => {
    readAll(incoming).then((raw) => handle(raw === '' ? undefined : JSON.parse(raw), response, incoming));
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function passOn(
  target: string,
  incoming: IncomingMessage,
  raw: string,
  response: ServerResponse,
  change: (text: string) => string,
): void {
  const { method = 'GET', headers } = incoming;
  const upstream = request(`${target}${incoming.url}`, { method, headers }, (answer) => {
    const isWhole = incoming.url?.startsWith('/api/chat') === true && answer.statusCode === 200;
    const { 'content-length': _, ...rest } = answer.headers;
    response.writeHead(answer.statusCode ?? 500, isWhole ? rest : answer.headers);
    answer.on('error', () => response.destroy());
    answer.on('aborted', () => response.destroy());
    if (!isWhole) return void answer.pipe(response);
    // The last record is changed; those before it go on as they come.
    let held = '';
    answer.setEncoding('utf8').on('data', (piece: string) => {
      const cut = (held + piece).lastIndexOf('\n', (held + piece).length - 2) + 1;
      response.write((held + piece).slice(0, cut));
      held = (held + piece).slice(cut);
    });
    answer.on('end', () => response.end(held === '' ? '' : change(held)));
  });
  upstream.on('error', () => response.destroy());
  response.on('close', () => upstream.destroy());
  upstream.end(raw);
}

function readAll(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    incoming.on('end', () => resolve(text)).on('error', reject);
  });
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)); // a port, as it listens on one
  });
}
