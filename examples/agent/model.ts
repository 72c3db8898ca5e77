import { LLMock } from '@copilotkit/aimock';

/** Address, name and key of an OpenAI-compatible model server. */
export interface ModelServer {
  readonly url: string;
  readonly model: string;
  readonly key: string;
  stop(): Promise<void>;
}

/**
 * Returns the server that the environment names, or starts one on this machine that answers from a script.
 *
 * - vLLM: `MODEL_URL=http://localhost:8000/v1 MODEL=Qwen/Qwen3-8B`
 * - Ollama: `MODEL_URL=http://localhost:11434/v1 MODEL=qwen3:8b`
 * - a provider: `MODEL_URL=https://api.openai.com/v1 MODEL=gpt-5 MODEL_KEY=sk-...`
 */
export async function findModel(): Promise<ModelServer> {
  const { MODEL_URL: url, MODEL: model = 'default', MODEL_KEY: key = 'none' } = process.env;
  return url === undefined ? startScripted() : { url, model, key, stop: async () => {} };
}

/** Calls `find_order`, then `shipping_days`, then answers. Each tenth request is refused, as on a busy day. */
async function startScripted(): Promise<ModelServer> {
  const server = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
  let requests = 0;
  server.on({ endpoint: 'chat' }, ({ messages }) => {
    if (requests++ % 10 === 9)
      return { error: { message: 'The engine is overloaded', type: 'overloaded' }, status: 503 };
    const question = messages.findLast(({ role }) => role === 'user')?.content;
    const answer = messages.at(-1);
    if (answer?.role !== 'tool') {
      const isFirst = String(question).startsWith('Where');
      const call = isFirst
        ? { name: 'find_order', arguments: JSON.stringify({ id: /\d+/.exec(String(question))?.[0] ?? '0' }) }
        : { name: 'shipping_days', arguments: '{"city":"Lisbon"}' };
      return { toolCalls: [call] };
    }
    return { content: `This is what I found: ${answer.content}` };
  });
  const url = `${await server.start()}/v1`;
  return { url, model: 'scripted', key: 'none', stop: () => server.stop() };
}
