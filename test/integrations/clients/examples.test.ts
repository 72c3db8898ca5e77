import { setTracingDisabled } from '@openai/agents';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => void vi.restoreAllMocks());

/** Each way in, run as a user would, and what it prints. */
const PRINTED: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  fetch: ['model_call: overloaded, 25 % of 20'],
  openai: ['model_call: overloaded, 25 % of 20'],
  anthropic: ['model_call: overloaded, 25 % of 20'],
  'ai-sdk': ['greet: overloaded, 25 % of 20', 'model_call: overloaded, 25 % of 20'],
  'ai-sdk-middleware': ['model_attempt: overloaded, 25 % of 20'],
  langchain: ['weather: network, 25 % of 20'],
  'langchain-middleware': ['model_call: overloaded, 25 % of 20'],
  'openai-agents': ['greeter: overloaded, 25 % of 20', 'model_call: overloaded, 25 % of 20'],
  mcp: ['weather: server_error, 25 % of 20'],
  tools: ['search: network, 25 % of 20'],
  opentelemetry: ['model_call: rate_limit, 25 % of 20'],
  otlp: [/^\{"resourceSpans":/, '1 span'],
  untracked: ['model_call'],
};

it.each(Object.entries(PRINTED))('examples/clients/%s.ts leads to the first pattern', async (name, expected) => {
  setTracingDisabled(false); // OpenAI Agents traces nothing under test runners
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import(`../../../examples/clients/${name}.ts`);
  const lines = print.mock.calls.map(([line]) => String(line));
  expect(lines).toHaveLength(expected.length);
  for (const each of expected) {
    expect(lines.some((line) => (typeof each === 'string' ? line === each : each.test(line)))).toBe(true);
  }
});
