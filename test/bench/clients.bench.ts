/**
 * Cost of a capture beyond the call it watches: pairs of rounds, bare and captured in turn, by processor time. The
 * model server is a function in this process, so that the network does not hide the difference.
 */
import { tracingChannel } from 'node:diagnostics_channel';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { generateText, type wrapLanguageModel } from 'ai';
import { RSILoop } from 'rsi-loop';
import { aiSdkMiddleware, captureAiSdk } from 'rsi-loop/clients/ai-sdk';
import { captureFetch } from 'rsi-loop/clients/fetch';
import { langchainHandler } from 'rsi-loop/clients/langchain';
import { captureMcp } from 'rsi-loop/clients/mcp';
import { agentsProcessor } from 'rsi-loop/clients/openai-agents';
import { tools } from 'rsi-loop/clients/tools';
import { rsiSpanProcessor } from 'rsi-loop/sources/opentelemetry';

const CALLS = 2_000;
const CHUNKS = 500;
const STREAMS = 40;
const ROUNDS = 15;

type Fetch = typeof globalThis.fetch;

const CHAT = 'https://models.example/v1/chat/completions';
const REQUEST = {
  method: 'POST',
  body: JSON.stringify({ model: 'm-1', messages: [{ role: 'user', content: 'hello' }] }),
};
const ANSWER = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'm-1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(100) }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 11, completion_tokens: 100, total_tokens: 111 },
});
const chunk = (more: object) =>
  new TextEncoder().encode(
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'm-1', ...more })}\n\n`,
  );
const WORD = { choices: [{ index: 0, delta: { content: ' word' }, finish_reason: null }], usage: null };

const whole: Fetch = async () => new Response(ANSWER, { headers: { 'content-type': 'application/json' } });
const streamed: Fetch = async () => {
  let sent = 0;
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (sent++ < CHUNKS) controller.enqueue(chunk(WORD));
      else {
        controller.enqueue(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
        controller.close();
      }
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
};

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Median of what the captured round cost more than the bare one beside it, in microseconds per unit. */
async function measure(name: string, units: number, bare: () => Promise<unknown>, captured: () => Promise<unknown>) {
  const timed = async (work: () => Promise<unknown>) => {
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / units;
  };
  await timed(bare);
  await timed(captured);
  const differences: number[] = [];
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const first = round % 2 === 0;
    const one = await timed(first ? bare : captured);
    const other = await timed(first ? captured : bare);
    costs.push(first ? one : other);
    differences.push(first ? other - one : one - other);
  }
  console.log(
    `${name.padEnd(52)} ${median(costs).toFixed(2).padStart(8)} ${median(differences).toFixed(2).padStart(9)}`,
  );
}

const times = async (count: number, work: () => Promise<unknown>) => {
  for (let index = 0; index < count; index++) await work();
};

const READERS: Readonly<Record<string, (response: Response) => Promise<unknown>>> = {
  'for await': async (response) => {
    for await (const _ of response.body as unknown as AsyncIterable<Uint8Array>);
  },
  getReader: async (response) => {
    const reader = response.body?.getReader();
    while (!(await reader?.read())?.done);
  },
  'pipeThrough a decoder': async (response) => {
    const texts = response.body?.pipeThrough(new TextDecoderStream() as never);
    for await (const _ of texts as unknown as AsyncIterable<string>);
  },
};

const loop = new RSILoop();
await loop.ready();
console.log(`${''.padEnd(52)}  bare µs  overhead`);
const captured = captureFetch(loop, { fetch: whole });
for (const name of ['json', 'text'] as const) {
  const ask = (fetch: Fetch) => async () => (await fetch(CHAT, REQUEST))[name]();
  await measure(
    `a call, read by ${name}()`,
    CALLS,
    () => times(CALLS, ask(whole)),
    () => times(CALLS, ask(captured)),
  );
}
const watched = captureFetch(loop, { fetch: streamed });
for (const [name, read] of Object.entries(READERS)) {
  const ask = (fetch: Fetch) => async () => read(await fetch(CHAT, REQUEST));
  await measure(
    `a chunk of a stream, read by ${name}`,
    STREAMS * CHUNKS,
    () => times(STREAMS, ask(streamed)),
    () => times(STREAMS, ask(watched)),
  );
}

// The other clients around as little of their SDK as runs: what is compared is the capture, not the SDK.
const add = async ({ one, other }: { one: number; other: number }) => one + other;
const wrapped = tools(loop, { add });
const input = { one: 1, other: 2 };
await measure(
  'a tool',
  CALLS,
  () => times(CALLS, () => add(input)),
  () => times(CALLS, () => wrapped.add(input)),
);

const client = { callTool: async (_: { name: string }) => ({ content: [{ type: 'text', text: 'sunny' }] }) };
const mcp = captureMcp(loop, client);
const weather = { name: 'weather' };
await measure(
  'a call of MCP',
  CALLS,
  () => times(CALLS, () => client.callTool(weather)),
  () => times(CALLS, () => mcp.callTool(weather)),
);

const usage = { inputTokens: { total: 11 }, outputTokens: { total: 7 } };
const generated = {
  content: [{ type: 'text', text: 'Hello' }],
  finishReason: { unified: 'stop' },
  usage,
  warnings: [],
};
const scripted = {
  specificationVersion: 'v4',
  provider: 'scripted',
  modelId: 'm-1',
  supportedUrls: {},
  doGenerate: async () => generated,
} as unknown as Parameters<typeof wrapLanguageModel>[0]['model']; // as much of a model as these calls need
const model = { modelId: 'm-1' };
const doGenerate = async () => generated;
const { wrapGenerate } = aiSdkMiddleware(loop);
await measure(
  'middleware of the AI SDK',
  CALLS,
  () => times(CALLS, doGenerate),
  () => times(CALLS, () => wrapGenerate({ doGenerate, params: {}, model })),
);
const parts = () => {
  let sent = 0;
  const part = { type: 'text-delta', id: '1', delta: ' word' };
  const pull = (controller: ReadableStreamDefaultController<object>) => {
    if (sent++ < CHUNKS) controller.enqueue(part);
    else controller.close();
  };
  return { stream: new ReadableStream<object>({ pull }) };
};
const doStream = async () => parts();
const { wrapStream } = aiSdkMiddleware(loop);
const readParts = async ({ stream }: ReturnType<typeof parts>) => {
  const through = stream.pipeThrough(new TransformStream<object, object>());
  for await (const _ of through as unknown as AsyncIterable<object>);
};
await measure(
  'a part of a stream, middleware of the AI SDK',
  STREAMS * CHUNKS,
  () => times(STREAMS, async () => readParts(await doStream())),
  () => times(STREAMS, async () => readParts(await wrapStream({ doStream, params: {}, model }))),
);
const GENERATED = 1_000;
const generate = () => times(GENERATED, () => generateText({ model: scripted, prompt: 'hello' }));
// The SDK publishes only if something listens: that cost is its own.
const bare = { start() {}, end() {}, asyncStart() {}, asyncEnd() {}, error() {} };
const channel = tracingChannel('ai:telemetry');
const published = async () => {
  channel.subscribe(bare);
  await generate();
  channel.unsubscribe(bare);
};
await measure('generateText of the AI SDK 7, published to nothing', GENERATED, generate, published);
await measure('the same, published to our capture (2 outcomes)', GENERATED, published, async () => {
  const stop = captureAiSdk(loop);
  await generate();
  stop();
});

const chat = new FakeListChatModel({ responses: ['Hello'] });
const callbacks = [langchainHandler(loop)];
const nothing = [{ name: 'nothing', handleChatModelStart() {}, handleLLMEnd() {}, awaitHandlers: true }];
await measure(
  'LangChain, beside a handler that does nothing',
  GENERATED,
  () => times(GENERATED, () => chat.invoke('hello', { callbacks: nothing })),
  () => times(GENERATED, () => chat.invoke('hello', { callbacks })),
);

const processor = agentsProcessor(loop);
const span = {
  traceId: 'trace',
  spanId: 'span',
  parentId: null,
  spanData: { type: 'generation', model: 'm-1', usage: { input_tokens: 11, output_tokens: 7 } },
  error: null,
};
await measure(
  'a span of OpenAI Agents',
  CALLS,
  () => times(CALLS, async () => {}),
  () =>
    times(CALLS, async () => {
      await processor.onSpanStart(span);
      await processor.onSpanEnd(span);
    }),
);

const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm-1', 'gen_ai.usage.input_tokens': 11 };
const traced = (processors: ReturnType<typeof rsiSpanProcessor>[]) => {
  const tracer = new BasicTracerProvider({ spanProcessors: processors }).getTracer('bench');
  return () => times(CALLS, async () => tracer.startSpan('chat m-1', { attributes }).end());
};
await measure('a span of OpenTelemetry', CALLS, traced([]), traced([rsiSpanProcessor(loop)]));
await loop.close();
