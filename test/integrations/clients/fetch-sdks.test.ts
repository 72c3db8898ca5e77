import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Outcome } from 'rsi-loop';
import { captureFetch } from 'rsi-loop/clients/fetch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compare, type Seen, see } from './differential.js';
import { type Provider, startProvider, type Way } from './provider.js';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

type Fetch = typeof globalThis.fetch;
interface Ask {
  readonly model: string;
  readonly stream: boolean;
  readonly signal?: AbortSignal;
}
/** One way to ask through a real SDK. */
type Client = (fetch: Fetch | undefined, ask: Ask) => Promise<unknown>;

const messages = [{ role: 'user' as const, content: 'a "model": "trap" in words' }];

function openai(fetch: Fetch | undefined): OpenAI {
  return new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1`, maxRetries: 2, ...(fetch && { fetch }) });
}

const CLIENTS: Readonly<Record<string, Client>> = {
  'openai, chat': async (fetch, { model, stream, signal }) =>
    openai(fetch).chat.completions.create({ model, messages, stream } as never, { signal: signal ?? null }),
  'openai, responses': async (fetch, { model, stream, signal }) =>
    openai(fetch).responses.create({ model, input: 'hello', stream } as never, { signal: signal ?? null }),
  anthropic: async (fetch, { model, stream, signal }) => {
    const client = new Anthropic({ apiKey: 'none', baseURL: provider.url, maxRetries: 2, ...(fetch && { fetch }) });
    return client.messages.create({ model, max_tokens: 9, messages, stream } as never, { signal: signal ?? null });
  },
};

let asked = 0;

async function ask(
  client: Client,
  way: Way,
  stream: boolean,
  atMost = Number.POSITIVE_INFINITY,
): Promise<{ seen: Seen; outcomes: Outcome[] }> {
  // Names of the same length and ending: a server that limits once limits each of the two once.
  const model = (kind: string) => `${kind}${String(asked).padStart(4, '0')}-${way}`;
  asked++;
  const same = (seen: Seen) => JSON.parse(JSON.stringify(seen).replaceAll(/[ab]\d{4}-/g, ''));
  return compare(
    async () => same(await see(() => client(undefined, { model: model('a'), stream }), { atMost })),
    async (loop) => same(await see(() => client(captureFetch(loop), { model: model('b'), stream }), { atMost })),
  );
}

const of = (outcomes: readonly Outcome[]) =>
  outcomes.map(({ success, issues, tokens }) => ({
    success,
    issues,
    ...(tokens && { tokens: { input: tokens.input, output: tokens.output } }),
  }));
const TOKENS = { input: 11, output: 7 };

describe.each(Object.entries(CLIENTS))('%s through captureFetch', (name, client) => {
  it('gives the same answer, and records model, tokens and finish', async () => {
    const { outcomes } = await ask(client, 'fine', false);
    expect(of(outcomes)).toEqual([{ success: true, issues: [], tokens: TOKENS }]);
    expect(outcomes[0]).toMatchObject({
      task: 'model_call',
      source: name.split(',')[0],
      context: { status: 200, host: provider.url.slice(7) },
    });
    expect(outcomes[0]?.model).toMatch(/^b\d+-fine$/);
    expect(JSON.stringify(outcomes)).not.toContain('Hello');
    expect(outcomes[0]).toMatchObject({ managed: false }); // no trial counts on a captured call
  });

  it('gives the same chunks of a stream', async () => {
    const { seen, outcomes } = await ask(client, 'fine', true);
    expect(seen.chunks?.length).toBeGreaterThan(4);
    expect(of(outcomes)).toEqual([{ success: true, issues: [], tokens: TOKENS }]);
  });

  it('records one outcome with its attempts when the SDK tries again after a 429', async () => {
    const { seen, outcomes } = await ask(client, 'limited-once', false);
    expect(seen.error).toBeUndefined();
    expect(of(outcomes)).toEqual([{ success: true, issues: [], tokens: TOKENS }]);
    expect(outcomes[0]?.attempts).toMatchObject([{ success: false, issue: 'rate_limit' }, { success: true }]);
  });

  it('leaves a 429 that stays as it is', async () => {
    const { seen, outcomes } = await ask(client, 'limited', false);
    expect(seen.error).toMatchObject({ class: 'RateLimitError', status: 429 });
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]?.attempts?.map(({ issue }) => issue)).toEqual(['rate_limit', 'rate_limit', 'rate_limit']);
    expect(outcomes[0]?.error).toMatchObject({ message: 'Rate limit reached for requests per minute' });
  });

  it.each([false, true])('leaves a 500 as it is (stream: %s)', async (stream) => {
    const { seen, outcomes } = await ask(client, 'broken', stream);
    expect(seen.error).toMatchObject({ class: 'InternalServerError', status: 500 });
    expect(of(outcomes)).toEqual([{ success: false, issues: ['server_error'] }]);
  });

  it.each([false, true])('leaves a malformed body as it is (stream: %s)', async (stream) => {
    const { seen, outcomes } = await ask(client, 'malformed', stream);
    expect(seen.error).toMatchObject({ name: 'SyntaxError' });
    expect(of(outcomes)).toEqual([{ success: false, issues: ['parse_error'] }]);
  });

  it('tells a stream that ends too early from one that is whole', async () => {
    const { outcomes } = await ask(client, 'truncated', true);
    expect(of(outcomes)).toMatchObject([{ success: false, issues: ['network'] }]);
  });

  it('leaves the error of a torn connection as it is', async () => {
    const { seen, outcomes } = await ask(client, 'torn', true);
    expect(seen.error).toMatchObject({ message: 'terminated' });
    expect(of(outcomes)).toMatchObject([{ success: false, issues: ['network'] }]);
  });

  it('finds an error inside a stream', async () => {
    const { outcomes } = await ask(client, 'error-inside', true);
    const issue = name === 'openai, responses' ? 'server_error' : 'overloaded';
    expect(of(outcomes)).toMatchObject([{ success: false, issues: [issue] }]);
  });

  it('takes a reader that stops early for a success', async () => {
    const { seen, outcomes } = await ask(client, 'endless', true, 2);
    expect(seen.chunks).toHaveLength(2);
    expect(of(outcomes)).toMatchObject([{ success: true }]);
  });

  it.each([false, true])('names an answer that was cut off (stream: %s)', async (stream) => {
    const { outcomes } = await ask(client, 'cut-off', stream);
    expect(of(outcomes)).toEqual([{ success: true, issues: ['incomplete_task'], tokens: TOKENS }]);
  });

  it('aborts in the middle of a stream as it would bare', async () => {
    const abort = async (fetch: Fetch | undefined): Promise<Seen> => {
      const controller = new AbortController();
      let chunks = 0;
      return see(async () => {
        const stream = (await client(fetch, { model: 'x-endless', stream: true, signal: controller.signal })) as object;
        for await (const _ of stream as AsyncIterable<unknown>) if (++chunks === 2) controller.abort();
        return chunks;
      });
    };
    const { outcomes } = await compare(
      () => abort(undefined),
      (loop) => abort(captureFetch(loop)),
    );
    // OpenAI's SDK ends such a stream as if the loop over it had been left: that is no failure.
    const cancelled = { success: false, issues: ['cancelled'] };
    expect(of(outcomes)).toMatchObject([name === 'anthropic' ? cancelled : { success: true, issues: [] }]);
  });

  it('aborts before an answer came as it would bare', async () => {
    const abort = async (fetch: Fetch | undefined) =>
      see(() => client(fetch, { model: 'x-fine', stream: false, signal: AbortSignal.abort() }));
    const { seen } = await compare(
      () => abort(undefined),
      (loop) => abort(captureFetch(loop)),
    );
    expect(seen.error).toMatchObject({ class: 'APIUserAbortError' });
  });
});

it('finds a withheld and an empty answer', async () => {
  const chat = CLIENTS['openai, chat'] as Client;
  expect(of((await ask(chat, 'withheld', false)).outcomes)).toMatchObject([
    { success: false, issues: ['content_filter'] },
  ]);
  expect(of((await ask(chat, 'empty', false)).outcomes)).toMatchObject([
    { success: false, issues: ['empty_response'] },
  ]);
  const anthropic = CLIENTS.anthropic as Client;
  expect(of((await ask(anthropic, 'withheld', false)).outcomes)).toMatchObject([{ issues: ['content_filter'] }]);
  expect(of((await ask(anthropic, 'empty', false)).outcomes)).toMatchObject([{ issues: ['empty_response'] }]);
});
