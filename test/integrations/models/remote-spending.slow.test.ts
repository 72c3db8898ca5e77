import type { ServerResponse } from 'node:http';
import { createOpenAI } from '@ai-sdk/openai';
import { LoopError, type Model } from 'rsi-loop';
import { AiSdkModel, AnthropicModel, ModelBudget, OpenAiModel } from 'rsi-loop/models';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closing, QUESTION } from './fixtures.js';
import { plainServer, sendJson } from './servers.js';

const PRICE = { inputUsd: 2, outputUsd: 10 };
const MAX_TOKENS = 40;

afterEach(() => void vi.unstubAllEnvs());

/** Charges of the provider: every answer it began, whether the client learned of it or not. */
class Bill {
  tokens = 0;
  usd = 0;
  requests = 0;
  charge(input: number, output: number): void {
    this.tokens += input + output;
    this.usd += (input * PRICE.inputUsd + output * PRICE.outputUsd) / 1_000_000;
  }
}

/** A provider of both protocols that counts a token for each two bytes, and fails in every way there is. */
function provider(bill: Bill) {
  return plainServer((body, response, request) => {
    bill.requests++;
    const input = Math.ceil(JSON.stringify((body as { messages: unknown }).messages).length / 2);
    const output = (bill.requests * 7) % (MAX_TOKENS + 1);
    const way = bill.requests % 11;
    if (way === 3) return refuse(response, 400);
    if (way === 5) return refuse(response, 429, { 'retry-after': '0.01' });
    bill.charge(input, output);
    // It worked, and the client never hears of the counts.
    if (way === 1) return refuse(response, 500);
    if (way === 2) return void response.destroy();
    const isAnthropic = request.url === '/v1/messages';
    const counts =
      way === 4
        ? {}
        : isAnthropic
          ? { input_tokens: input, output_tokens: output }
          : { prompt_tokens: input, completion_tokens: output };
    sendJson(response, isAnthropic ? message(counts) : completion(counts));
  });
}

function refuse(response: ServerResponse, status: number, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end('{"error":{"message":"no"}}');
}

const message = (usage: object) => ({
  type: 'message',
  model: 'm',
  content: [{ type: 'text', text: 'yes' }],
  stop_reason: 'end_turn',
  usage,
});
const completion = (usage: object) => ({
  id: 'x',
  created: 1,
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
  usage,
});

describe('a budget', () => {
  it('is never exceeded by 500 concurrent calls of three clients, of which many fail, stall or are aborted', async () => {
    vi.stubEnv('TEST_KEY', 'sk-test-1234567890');
    const bill = new Bill();
    const { url } = await closing(provider(bill));
    const budget = new ModelBudget({ maxUsd: 0.25, maxTokens: 90_000 });
    const options = { model: 'm', budget, price: PRICE, maxTokens: MAX_TOKENS, keyName: 'TEST_KEY' };
    const openAi = new OpenAiModel({ ...options, url: `${url}/v1` });
    const anthropic = new AnthropicModel({ ...options, url });
    const sdk = new AiSdkModel(
      createOpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-test-1234567890' }).chat('gpt-4o'),
      options,
    );
    const clients: readonly Model[] = [openAi, anthropic, sdk];
    const most = { usd: 0, tokens: 0 };
    const errors = new Map<string, number>();
    await Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        const abort = new AbortController();
        if (index % 13 === 0) setImmediate(() => abort.abort(new Error('not needed')));
        const model = clients[index % 3] ?? openAi;
        await model.complete(QUESTION, { signal: abort.signal }).catch((error: unknown) => {
          const what = LoopError.is(error) ? error.message.replace(/^.*(not asked).*/, '$1') : String(error);
          errors.set(what, (errors.get(what) ?? 0) + 1);
        });
        const { usd, tokens } = await budget.status();
        most.usd = Math.max(most.usd, usd);
        most.tokens = Math.max(most.tokens, tokens);
      }),
    );
    const end = await budget.status();
    expect(most.usd).toBeLessThanOrEqual(0.25);
    expect(most.tokens).toBeLessThanOrEqual(90_000);
    // The budget counted at least the charges of the provider, so its limit covers them.
    expect(bill.tokens).toBeLessThanOrEqual(end.tokens);
    expect(bill.usd).toBeLessThanOrEqual(end.usd + 1e-9);
    expect(errors.get('not asked')).toBeGreaterThan(0);
    expect(bill.requests).toBeGreaterThan(50);
    console.log(
      `budget: ${bill.requests} of 500 calls sent, charged ${bill.tokens} tokens, counted ${end.tokens} of 90000`,
    );
  });
});
