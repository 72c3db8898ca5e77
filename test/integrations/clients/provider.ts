import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Behaviours of the server. The name of the requested model ends with one of these. */
export const WAYS = [
  'fine',
  'limited-once',
  'limited',
  'broken',
  'malformed',
  'truncated',
  'torn',
  'error-inside',
  'cut-off',
  'withheld',
  'empty',
  'endless',
] as const;
export type Way = (typeof WAYS)[number];

/** A model server on loopback that speaks OpenAI (chat and responses) and Anthropic, and fails on request. */
export interface Provider {
  readonly url: string;
  /** Requests it was sent. */
  readonly requests: () => number;
  close(): Promise<void>;
}

export async function startProvider(): Promise<Provider> {
  let requests = 0;
  const limited = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    requests++;
    void answer(request, response, limited).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Asked {
  readonly model?: string;
  readonly stream?: boolean;
}

async function answer(request: IncomingMessage, response: ServerResponse, limited: Map<string, number>): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // a request gives buffers
  const asked: Asked = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
  const model = asked.model ?? 'fine';
  const way = WAYS.find((each) => model.endsWith(each)) ?? 'fine';
  const shape = shapeOf(request.url ?? '');
  if (way === 'limited' || (way === 'limited-once' && count(limited, model) === 1)) {
    response.writeHead(429, {
      'content-type': 'application/json',
      'retry-after': '0',
      'retry-after-ms': '1',
      'x-request-id': 'r1',
    });
    response.end(JSON.stringify(shape.error('rate_limit_error', 'Rate limit reached for requests per minute')));
    return;
  }
  if (way === 'broken') {
    response.writeHead(500, { 'content-type': 'application/json', 'x-should-retry': 'false', 'retry-after-ms': '1' });
    response.end(JSON.stringify(shape.error('api_error', 'The server had an error')));
    return;
  }
  if (way === 'malformed') {
    response.writeHead(200, { 'content-type': asked.stream ? 'text/event-stream' : 'application/json' });
    // Anthropic's SDK passes over events without a name it knows.
    response.end(
      asked.stream ? 'event: message_start\ndata: {"id": "1", "choices": [oops\n\n' : '{"id": "1", "choices": [oops',
    );
    return;
  }
  if (!asked.stream) {
    response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'r2' });
    response.end(JSON.stringify(shape.whole(model, way)));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = shape.events(model, way);
  const kept = way === 'truncated' || way === 'torn' || way === 'endless' ? events.slice(0, 3) : events;
  for (const event of kept) {
    response.write(event);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (way === 'endless') return;
  if (way === 'torn') response.destroy();
  else response.end();
}

function count(map: Map<string, number>, key: string): number {
  const next = (map.get(key) ?? 0) + 1;
  map.set(key, next);
  return next;
}

interface Shape {
  error(type: string, message: string): object;
  whole(model: string, way: Way): object;
  events(model: string, way: Way): string[];
}

function shapeOf(url: string): Shape {
  if (url.endsWith('/messages')) return ANTHROPIC;
  return url.endsWith('/responses') ? RESPONSES : CHAT;
}

const WORDS = ['Hello', ' "error": {', ' [DONE] é'];

const sse = (data: object, event?: string) => `${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`;

const CHAT: Shape = {
  error: (type, message) => ({ error: { message, type, code: type, param: null } }),
  whole: (model, way) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: `${model}-2026`,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: way === 'empty' ? '' : 'Hello', refusal: null },
        finish_reason: way === 'cut-off' ? 'length' : way === 'withheld' ? 'content_filter' : 'stop',
      },
    ],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  }),
  events: (model, way) => {
    const chunk = (more: object) =>
      sse({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, usage: null, ...more });
    const choice = (delta: object, finish_reason: string | null) => ({ choices: [{ index: 0, delta, finish_reason }] });
    const words = WORDS.map((content) => chunk(choice({ content }, null)));
    if (way === 'error-inside') {
      return [...words.slice(0, 2), sse({ error: { message: 'Overloaded', type: 'overloaded_error', code: 529 } })];
    }
    return [
      ...words,
      chunk(choice({}, way === 'cut-off' ? 'length' : 'stop')),
      chunk({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } }),
      'data: [DONE]\n\n',
    ];
  },
};

const RESPONSES: Shape = {
  error: CHAT.error,
  whole: (model, way) => ({
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model,
    status: way === 'cut-off' ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: way === 'cut-off' ? { reason: 'max_output_tokens' } : null,
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
      },
    ],
    usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18, input_tokens_details: { cached_tokens: 3 } },
  }),
  events: (model, way) => {
    const response = { id: 'resp_1', object: 'response', created_at: 1, model, status: 'in_progress', error: null };
    const typed = (type: string, more: object) => sse({ type, ...more }, type);
    return [
      typed('response.created', { response: { ...response, output: [], usage: null } }),
      ...WORDS.map((delta) => typed('response.output_text.delta', { item_id: 'msg_1', delta })),
      way === 'error-inside'
        ? typed('response.failed', {
            response: { ...response, status: 'failed', error: { code: 'server_error', message: 'The model broke' } },
          })
        : typed('response.completed', { response: RESPONSES.whole(model, way) }),
    ];
  },
};

const ANTHROPIC: Shape = {
  error: (type, message) => ({ type: 'error', error: { type, message } }),
  whole: (model, way) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: way === 'empty' ? [] : [{ type: 'text', text: 'Hello' }],
    stop_reason: way === 'cut-off' ? 'max_tokens' : way === 'withheld' ? 'refusal' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 8, cache_read_input_tokens: 3, output_tokens: 7 },
  }),
  events: (model, way) => {
    const typed = (type: string, more: object) => sse({ type, ...more }, type);
    const start = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 8, cache_read_input_tokens: 3, output_tokens: 1 },
    };
    const words = WORDS.map((text) => typed('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }));
    const opening = [
      typed('message_start', { message: start }),
      typed('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ];
    if (way === 'error-inside') {
      return [...opening, ...words, typed('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })];
    }
    const stop_reason = way === 'cut-off' ? 'max_tokens' : 'end_turn';
    return [
      ...opening,
      ...words,
      typed('content_block_stop', { index: 0 }),
      typed('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 7 } }),
      typed('message_stop', {}),
    ];
  },
};
