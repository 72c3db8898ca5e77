import {
  Agent,
  type Model,
  OpenAIChatCompletionsModel,
  Runner,
  setTraceProcessors,
  setTracingDisabled,
  tool,
  Usage,
  withTrace,
} from '@openai/agents';
import OpenAI from 'openai';
import { RSILoop } from 'rsi-loop';
import { agentsProcessor } from 'rsi-loop/clients/openai-agents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Ask, compareAll, recorded, see, told } from './differential.js';
import { type Provider, startProvider } from './provider.js';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
  setTracingDisabled(false);
});
afterAll(() => provider.close());

async function ask(loop: RSILoop | undefined, { model, stream, signal, ...reading }: Ask) {
  setTraceProcessors(loop ? [agentsProcessor(loop)] : []);
  const client = new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` });
  const agent = new Agent({ name: 'helper', model: new OpenAIChatCompletionsModel(client as never, model) });
  const runner = new Runner({ tracingDisabled: false });
  const seen = await see(async () => {
    if (!stream) return (await runner.run(agent, 'hello', { ...(signal && { signal }) })).finalOutput;
    const result = await runner.run(agent, 'hello', { stream: true, ...(signal && { signal }) });
    return result.toTextStream({ compatibleWithNodeStreams: false });
  }, reading);
  // A run whose stream was left ends a moment later, or never.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  setTraceProcessors([]);
  return seen;
}

describe('agentsProcessor', () => {
  it('changes nothing for hosts of OpenAI Agents, and records runs and calls of models', async () => {
    const cases = await compareAll(ask);
    const summary = Object.fromEntries(Object.values(cases).map(({ name, outcomes }) => [name, told(outcomes)]));
    expect(summary).toEqual({
      success: ['model_call: fine 11+7', 'helper: fine'],
      stream: ['model_call: fine 11+7', 'helper: fine'],
      '429, tried again': ['model_call: fine 11+7', 'helper: fine'],
      '429': ['model_call: rate_limit', 'helper: rate_limit'],
      '500': ['model_call: server_error', 'helper: server_error'],
      '500 for a stream': ['model_call: server_error', 'helper: server_error'],
      'malformed body': ['model_call: parse_error', 'helper: parse_error'],
      'malformed stream': ['model_call: parse_error', 'helper: parse_error'],
      // The framework makes a whole answer of it.
      'truncated stream': ['model_call: fine 0+0', 'helper: fine'],
      'torn stream': ['model_call: network', 'helper: network'],
      'error inside a stream': ['model_call: overloaded', 'helper: overloaded'],
      'cut off': ['model_call: incomplete_task 11+7', 'helper: fine'],
      'stream left early': expect.anything(),
      'stream aborted': expect.anything(),
    });
    const { outcomes = [] } = cases.success ?? {};
    expect(outcomes[0]).toMatchObject({ model: 'captured-all-success-fine', parent: outcomes[1]?.id });
    expect(outcomes[1]).toMatchObject({ agent: 'helper', source: 'openai-agents' });
    expect(JSON.stringify(outcomes)).not.toMatch(/hello|Hello/);
  });

  it('records tools as children of the run of their agent, and the group as session', async () => {
    const loop = new RSILoop();
    setTraceProcessors([agentsProcessor(loop)]);
    const weather = tool({
      name: 'weather',
      description: 'd',
      parameters: z.object({ city: z.string() }),
      execute: async (): Promise<string> => {
        throw new Error('connect ECONNREFUSED');
      },
    });
    const answers = [
      { type: 'function_call', callId: 'c1', name: 'weather', arguments: '{"city":"Lisbon"}', status: 'completed' },
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'sunny' }],
      },
    ];
    const model = {
      getResponse: async () => ({ usage: new Usage(), output: [answers.shift()] }),
    } as unknown as Model; // as much of a model as this run needs
    const agent = new Agent({ name: 'helper', model, tools: [weather] });
    const run = () => new Runner({ tracingDisabled: false }).run(agent, 'hello');
    await loop.run('ticket', () => withTrace('workflow', run, { groupId: 'group-7' }));
    const outcomes = await recorded(loop);
    // Unless a tool has an error function of its own, the framework keeps its error out of traces.
    expect(told(outcomes)).toEqual(['weather: tool_failure', 'helper: fine', 'ticket: fine']);
    const [failed, helper, ticket] = outcomes;
    expect(failed).toMatchObject({ tool: 'weather', session: 'group-7', parent: helper?.id });
    expect(helper?.parent).toBe(ticket?.id);
    await loop.close();
  });
});
