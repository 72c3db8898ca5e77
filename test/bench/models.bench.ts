/**
 * Cost of a call through `VllmModel` and `OllamaModel` beside a bare `fetch` of the same request and the same answer,
 * turn by turn in one run, against a server in a process of its own. Ratios are what counts.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OllamaModel, VllmModel } from 'rsi-loop/models';

const CALLS = Number(process.env.BENCH_CALLS ?? 2_000);
const WARM_UP = 300;
const TEXT = JSON.stringify({ cause: 'reasoning_error', confidence: 0.8, note: 'a sentence or two. '.repeat(10) });
const OPENAI = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'qwen3',
  choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 700, completion_tokens: 60, total_tokens: 760 },
});
const OLLAMA = JSON.stringify({
  model: 'qwen3',
  message: { role: 'assistant', content: TEXT },
  done: true,
  done_reason: 'stop',
  prompt_eval_count: 700,
  eval_count: 60,
});

if (process.argv[2] === 'serve') serve();
else await measure();

function serve(): void {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(request.url?.startsWith('/api') ? OLLAMA : OPENAI);
    });
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
  process.stdin.on('end', () => process.exit()).resume();
}

async function measure(): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, 'serve'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve) => child.stdout.once('data', (data) => resolve(Number(data))));
  const url = `http://127.0.0.1:${port}`;
  const messages = [
    { role: 'system' as const, content: 'You find out why an agent failed. '.repeat(10) },
    { role: 'user' as const, content: 'error: the total was wrong by one. '.repeat(60) },
  ];
  const schema = {
    type: 'object',
    properties: { cause: { type: 'string' }, confidence: { type: 'number' }, note: { type: 'string' } },
    required: ['cause', 'confidence', 'note'],
    additionalProperties: false,
  } as const;
  const request = { messages, schema, maxTokens: 800, temperature: 0 };
  const vllm = new VllmModel({ url, model: 'qwen3', apiKey: 'sk-1' });
  const ollama = new OllamaModel({ url, model: 'qwen3' });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-1' };
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json();
  };
  const format = { type: 'json_schema', json_schema: { name: 'answer', schema } };
  await compare(
    'VllmModel',
    async () => {
      const said = await post('/v1/chat/completions', {
        model: 'qwen3',
        messages,
        max_tokens: 800,
        temperature: 0,
        response_format: format,
      });
      return JSON.parse(said.choices[0].message.content);
    },
    () => vllm.complete(request),
  );
  await compare(
    'OllamaModel',
    async () => {
      const options = { num_ctx: 8_192, num_predict: 800, temperature: 0 };
      const said = await post('/api/chat', { model: 'qwen3', messages, stream: false, format: schema, options });
      return JSON.parse(said.message.content);
    },
    () => ollama.complete(request),
  );
  child.stdin.end();
}

async function compare(name: string, bare: () => Promise<unknown>, ours: () => Promise<unknown>): Promise<void> {
  for (let index = 0; index < WARM_UP; index++) {
    await bare();
    await ours();
  }
  const times = { bare: [] as number[], ours: [] as number[] };
  const cpu = { bare: 0, ours: 0 };
  for (let index = 0; index < CALLS; index++) {
    // The second one finds a warmer connection.
    const turn = index % 2 === 0 ? (['bare', 'ours'] as const) : (['ours', 'bare'] as const);
    for (const who of turn) {
      const before = process.cpuUsage();
      const started = performance.now();
      await (who === 'bare' ? bare() : ours());
      times[who].push(performance.now() - started);
      const { user, system } = process.cpuUsage(before);
      cpu[who] += user + system;
    }
  }
  const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  const [theirs, mine] = [median(times.bare), median(times.ours)];
  console.log(
    `${name.padEnd(12)} bare fetch + JSON ${(1_000 * theirs).toFixed(0)} us, with it ${(1_000 * mine).toFixed(0)} us: ` +
      `${(mine / theirs).toFixed(2)}x per call, ${(cpu.ours / cpu.bare).toFixed(2)}x of processor time`,
  );
}
