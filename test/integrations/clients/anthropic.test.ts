import Anthropic from '@anthropic-ai/sdk';
import type { RSILoop } from 'rsi-loop';
import { anthropicMiddleware } from 'rsi-loop/clients/anthropic';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Ask, compareAll, see, told } from './differential.js';
import { type Provider, startProvider } from './provider.js';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

const ask = (loop: RSILoop | undefined, { model, stream, signal, ...reading }: Ask) =>
  see(async () => {
    const client = new Anthropic({
      apiKey: 'none',
      baseURL: provider.url,
      ...(loop && { middleware: [anthropicMiddleware(loop)] }),
    });
    const messages = [{ role: 'user' as const, content: 'hello' }];
    return client.messages.create({ model, max_tokens: 9, messages, stream } as never, { signal: signal ?? null });
  }, reading);

it('changes nothing for hosts of the SDK of Anthropic, and records one outcome for all attempts', async () => {
  const cases = await compareAll(ask);
  const summary = Object.fromEntries(Object.values(cases).map(({ name, outcomes }) => [name, told(outcomes)]));
  expect(summary).toEqual({
    success: ['model_call: fine 11+7'],
    stream: ['model_call: fine 11+7'],
    '429, tried again': ['model_call: fine 11+7'],
    '429': ['model_call: rate_limit'],
    '500': ['model_call: server_error'],
    '500 for a stream': ['model_call: server_error'],
    'malformed body': ['model_call: parse_error'],
    'malformed stream': ['model_call: parse_error'],
    'truncated stream': ['model_call: network 11+1'],
    'torn stream': ['model_call: network 11+1'],
    'error inside a stream': ['model_call: overloaded 11+1'],
    'cut off': ['model_call: incomplete_task 11+7'],
    'stream left early': ['model_call: fine 11+1'],
    'stream aborted': ['model_call: cancelled 11+1'],
  });
  const [outcome] = cases.success?.outcomes ?? [];
  expect(outcome).toMatchObject({ source: 'anthropic', model: 'captured-all-success-fine' });
  expect(outcome?.context).toMatchObject({ host: provider.url.slice(7), finish: 'end_turn', status: 200 });
});
