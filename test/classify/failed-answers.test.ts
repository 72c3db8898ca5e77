import { RSILoop } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { captureFetch } from '../../integrations/clients/fetch.js';
import { captureMcp } from '../../integrations/clients/mcp.js';
import { tools } from '../../integrations/clients/tools.js';
import { claudeHandler } from '../../integrations/sources/agents/hooks.js';
import { FAILED_ANSWERS, findFailedAnswer } from '../../src/classify/failed-answers.js';
import { INTERNALS } from '../../src/live/internals.js';
import { isEmptyAnswer } from '../../src/run/check.js';

/** An answer of each kind, with the issue of its outcome. */
const ANSWERS: readonly (readonly [kind: string, answer: object, issue: string])[] = [
  ['empty', { choices: [{ message: { content: '' } }] }, 'empty_response'],
  ['empty-ai-sdk', { text: '', finishReason: 'stop', toolCalls: [] }, 'empty_response'],
  ['empty-responses', { object: 'response', status: 'completed', output: [] }, 'empty_response'],
  ['refusal', { choices: [{ message: { content: null, refusal: 'I cannot help with that' } }] }, 'content_filter'],
  ['refusal', { output: [{ content: [{ type: 'refusal', refusal: 'No.' }] }] }, 'content_filter'],
  ['refusal', { type: 'message', content: [{ type: 'text', text: 'no' }], stop_reason: 'refusal' }, 'content_filter'],
  ['mcp-error', { isError: true, content: [{ type: 'text', text: 'the disk went away' }] }, 'tool_failure'],
  ['status-error', { status: 'error', content: 'the printer is green', tool_call_id: 'c1' }, 'tool_failure'],
  ['graphql-errors', { data: null, errors: [{ message: 'rate limit exceeded' }] }, 'rate_limit'],
  ['error-body', { error: { code: 429, message: 'Too Many Requests' } }, 'rate_limit'],
  ['not-ok', { ok: false, error: 'ratelimited' }, 'rate_limit'],
  ['not-ok', { ok: false }, 'unknown'],
];

async function issuesOf(answers: readonly object[], options: ConstructorParameters<typeof RSILoop>[0] = {}) {
  const loop = new RSILoop(options);
  const ends: unknown[] = [];
  for (const answer of answers) {
    const value = await loop.run('ask', () => answer, { onEnd: ({ success, issue }) => ends.push(success || issue) });
    expect(value).toBe(answer);
  }
  await loop.close();
  return ends;
}

describe('an answer that states a failure', () => {
  it('is a failure of its class, and still reaches the host', async () => {
    expect(await issuesOf(ANSWERS.map(([, answer]) => answer))).toEqual(ANSWERS.map(([, , issue]) => issue));
  });

  it('is a success where the host accepts this kind, or its own check does', async () => {
    for (const [kind, answer] of ANSWERS) {
      const acceptedAnswers = FAILED_ANSWERS.filter((known) => known === kind);
      expect(await issuesOf([answer], { acceptedAnswers }), kind).toEqual([true]);
    }
    const loop = new RSILoop();
    let success: boolean | undefined;
    await loop.run('ask', () => ({ ok: false }), { accept: () => true, onEnd: (end) => (success = end.success) });
    expect(success).toBe(true);
    await loop.close();
  });

  it('has a row in the table, and every row has an answer here', () => {
    expect(new Set(ANSWERS.map(([, answer]) => findFailedAnswer(answer)?.kind))).toEqual(new Set(FAILED_ANSWERS));
    expect(ANSWERS.filter(([, answer]) => isEmptyAnswer(answer)).map(([kind]) => kind)).toEqual([
      'empty',
      'empty-ai-sdk',
      'empty-responses',
    ]);
  });

  it('refuses an unknown kind, naming the known ones', () => {
    const wrong = { acceptedAnswers: ['refusals'] } as unknown as { acceptedAnswers: [] };
    expect(() => new RSILoop(wrong)).toThrow(/acceptedAnswers.*empty-ai-sdk/);
  });
});

describe('an answer that states a failure, in captures and hooks', () => {
  type Door = (loop: RSILoop, answer: object) => Promise<void> | void;
  const doors: Readonly<Record<string, Door>> = {
    tools: async (loop, answer) => void (await tools(loop, { ask: async () => answer }).ask()),
    captureMcp: async (loop, answer) => void (await captureMcp(loop, { callTool: async () => answer }).callTool()),
    captureFetch: async (loop, answer) => {
      const fetch = captureFetch(loop, { fetch: async () => Response.json(answer), task: () => 'ask' });
      const isOfModel = /^(?:empty|refusal)/.test(findFailedAnswer(answer)?.kind ?? '');
      const url = isOfModel ? 'https://api.openai.com/v1/chat/completions' : 'https://tickets.example/1';
      await (await fetch(url, { method: 'POST' })).json();
    },
    hooks: (loop, answer) => {
      const body = { hook_event_name: 'PostToolUse', session_id: 's', tool_name: 'ask', tool_response: answer };
      claudeHandler(loop)(body);
    },
  };

  it.each(Object.keys(doors))('is one through %s, and a success if the loop accepts its kind', async (door) => {
    for (const [kind, answer] of ANSWERS) {
      for (const acceptedAnswers of [[], FAILED_ANSWERS.filter((known) => known === kind)]) {
        const loop = new RSILoop({ acceptedAnswers });
        const ends: (boolean | undefined)[] = [];
        loop[INTERNALS].listeners.add(({ success }) => void ends.push(success));
        await doors[door]?.(loop, answer);
        await new Promise(setImmediate);
        expect(ends, `${door}: ${kind}`).toEqual([acceptedAnswers.length > 0]);
        await loop.close();
      }
    }
  });
});

it('takes no other answer for a failure, and reads no stream', () => {
  const stream = {
    textStream: {},
    finishReason: 'stop',
    get text(): string {
      throw new Error('this would start the stream');
    },
  };
  const hostile = {
    get errors(): unknown {
      throw new Error('no');
    },
  };
  const fine: unknown[] = [
    ...[undefined, null, 0, '', 'text', [], {}, stream, hostile],
    { text: '', finishReason: 'tool-calls', toolCalls: [{ id: '1' }] },
    { text: '' },
    { object: 'response', status: 'in_progress', output: [] },
    { object: 'response', status: 'completed', output: [{ content: [{ type: 'output_text' }] }], error: null },
    { output: [] },
    { isError: false, content: [] },
    { errors: [] },
    { errors: 2, data: {} },
    { error: 'a field of the host' },
    { error: null, result: 1 },
    { ok: true },
    { choices: [{ message: { content: 'hi', refusal: null } }] },
  ];
  expect(fine.filter((value) => findFailedAnswer(value) !== undefined)).toEqual([]);
});
