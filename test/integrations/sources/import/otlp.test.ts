import { describe, expect, it } from 'vitest';
import { detectImporter } from '../../../../integrations/sources/import/detect.js';
import { otlp, outcomesOfTraces } from '../../../../integrations/sources/import/formats/otlp.js';
import { importText } from './import-text.js';

type Attributes = Readonly<Record<string, string | number | boolean>>;

const START_NS = 1_770_000_000_000_000_123n;

function span(spanId: string, name: string, attributes: Attributes, extra: object = {}) {
  return {
    traceId: 'a'.repeat(32),
    spanId,
    parentSpanId: '',
    name,
    startTimeUnixNano: String(START_NS),
    endTimeUnixNano: String(START_NS + 1_500_000_000n),
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value:
        typeof value === 'string'
          ? { stringValue: value }
          : typeof value === 'boolean'
            ? { boolValue: value }
            : Number.isInteger(value)
              ? { intValue: String(value) }
              : { doubleValue: value },
    })),
    ...extra,
  };
}

function request(...spans: object[]): string {
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop-agent' } }] };
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 's' }, spans }] }] });
}

const read = (text: string) => outcomesOfTraces(text, { atMs: 5 });

describe('OTLP traces', () => {
  it('makes a run of an agent span, and children of the calls in it', () => {
    const { outcomes, leftOut } = read(
      request(
        span('b1', 'invoke_agent helper', {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.name': 'helper',
          'gen_ai.conversation.id': 'c-1',
          'gen_ai.request.model': 'm-1',
        }),
        span('b2', 'execute_tool search', { 'gen_ai.operation.name': 'execute_tool' }, { parentSpanId: 'b1' }),
        span(
          'b3',
          'chat m-1',
          {
            'gen_ai.operation.name': 'chat',
            'gen_ai.response.model': 'm-1-0613',
            'gen_ai.usage.input_tokens': 97,
            'gen_ai.usage.output_tokens': 52,
          },
          { parentSpanId: 'b1' },
        ),
        span('b4', 'GET /search', { 'http.request.method': 'GET' }, { parentSpanId: 'b2' }),
      ),
    );
    const [run, tool, call] = outcomes;
    expect(outcomes).toHaveLength(3);
    expect(run).toMatchObject({ task: 'helper', success: true, session: 'c-1', durationMs: 1_500, source: 'otel' });
    expect(run?.atMs).toBe(1_770_000_001_500);
    expect(run?.parent).toBeUndefined();
    expect(tool).toMatchObject({ task: 'search', tool: 'search', parent: run?.id });
    expect(call).toMatchObject({
      task: 'model_call',
      model: 'm-1-0613',
      tokens: { input: 97, output: 52 },
      parent: run?.id,
    });
    expect(leftOut).toEqual({ 'span of nothing an agent does': 1 });
  });

  it('names errors from the exception, the status and error.type', () => {
    const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'fetch' };
    const exception = {
      name: 'exception',
      attributes: [
        { key: 'exception.type', value: { stringValue: 'ConnectError' } },
        { key: 'exception.message', value: { stringValue: 'connect ECONNREFUSED 10.0.0.7:443' } },
      ],
    };
    const { outcomes } = read(
      request(
        span('c1', 'x', tool, { status: { code: 2, message: '429 Too Many Requests' } }),
        span('c2', 'x', tool, { status: { code: 'STATUS_CODE_ERROR' }, events: [exception] }),
        span('c3', 'x', { ...tool, 'error.type': 'timeout' }),
        span('c4', 'x', tool, { status: { code: 2 } }),
        span('c5', 'x', tool, { status: { code: 1 } }),
      ),
    );
    expect(outcomes.map(({ success, issues }) => [success, issues[0]])).toEqual([
      [false, 'rate_limit'],
      [false, 'network'],
      [false, 'timeout'],
      [false, 'tool_failure'],
      [true, undefined],
    ]);
    expect(outcomes[1]?.error).toMatchObject({ name: 'ConnectError', message: 'connect ECONNREFUSED 10.0.0.7:443' });
  });

  it.each([
    ['old names', { 'gen_ai.system': 'x', 'gen_ai.request.model': 'm', 'gen_ai.usage.prompt_tokens': 3 }],
    ['OpenInference', { 'openinference.span.kind': 'LLM', 'llm.model_name': 'm', 'llm.token_count.prompt': 3 }],
    ['OpenLLMetry', { 'llm.request.type': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.usage.prompt_tokens': 3 }],
    ['AI SDK', { 'ai.operationId': 'ai.generateText.doGenerate', 'ai.model.id': 'm', 'ai.usage.promptTokens': 3 }],
  ])('knows a call of the model by %s', (_, attributes) => {
    expect(read(request(span('d1', 'x', attributes))).outcomes).toMatchObject([
      { task: 'model_call', model: 'm', tokens: { input: 3, output: 0 } },
    ]);
  });

  it.each([
    [{ 'openinference.span.kind': 'TOOL', 'tool.name': 'search' }],
    [{ 'traceloop.span.kind': 'tool', 'gen_ai.tool.name': 'search' }],
    [{ 'ai.operationId': 'ai.toolCall', 'ai.toolCall.name': 'search' }],
  ])('knows a call of a tool by %o', (attributes) => {
    expect(read(request(span('d2', 'x', attributes))).outcomes).toMatchObject([{ task: 'search', tool: 'search' }]);
  });

  it('takes the request of a server for nothing around an agent, and finds the run across other spans', () => {
    const http = { 'http.request.method': 'POST' };
    const chain = { 'openinference.span.kind': 'CHAIN' };
    const chat = { 'gen_ai.operation.name': 'chat' };
    const { outcomes } = read(
      request(
        span('r1', 'POST /chat', http),
        span('r2', 'answer', chain, { parentSpanId: 'r1' }),
        span('r3', 'think', chain, { parentSpanId: 'r2' }),
        span('r4', 'GET /model', http, { parentSpanId: 'r3' }),
        span('r5', 'chat', chat, { parentSpanId: 'r4' }),
        span('r6', 'chat', chat, { parentSpanId: 'elsewhere' }),
      ),
    );
    const trace = 'a'.repeat(32);
    expect(outcomes.map(({ task, parent }) => [task, parent])).toEqual([
      ['answer', undefined],
      ['model_call', `${trace}-r2`],
      ['model_call', `${trace}-elsewhere`],
    ]);
    expect(
      read(request(span('c1', 'x', chat, { parentSpanId: 'c2' }), span('c2', 'y', http, { parentSpanId: 'c1' })))
        .outcomes,
    ).toHaveLength(1);
  });

  it('counts a chain only where nothing is around it', () => {
    const chain = { 'openinference.span.kind': 'CHAIN' };
    const { outcomes, leftOut } = read(
      request(span('e1', 'pipeline', chain), span('e2', 'inner', chain, { parentSpanId: 'e1' })),
    );
    expect(outcomes.map(({ task }) => task)).toEqual(['pipeline']);
    expect(leftOut).toEqual({ 'step around other steps': 1 });
  });

  it('keeps ids that were written as numbers beyond 2^53', () => {
    const text = request(span('f1', 'x', { 'gen_ai.operation.name': 'chat' })).replace('"f1"', '12324293800750531911');
    expect(read(text).outcomes[0]?.id).toBe(`${'a'.repeat(32)}-12324293800750531911`);
  });

  it('names what is no span and reads the rest', () => {
    const good = span('g1', 'x', { 'gen_ai.operation.name': 'chat' });
    const { outcomes, skipped } = read(request(7 as never, { name: 'no id' }, good));
    expect(outcomes).toHaveLength(1);
    expect(skipped.map(({ reason }) => reason)).toEqual(['a span is not an object', 'a span has no spanId']);
    expect(() => read('{"resourceLogs":[]}')).toThrow('no traces');
    expect(read('{}').outcomes).toEqual([]);
  });

  it('reads a file of requests, one per line or pretty-printed, however the pieces are cut', async () => {
    const one = request(span('h1', 'x', { 'gen_ai.operation.name': 'chat' }));
    const two = request(span('h2', 'x', { 'gen_ai.operation.name': 'chat' }));
    for (const text of [`${one}\n${two}\n`, JSON.stringify(JSON.parse(one), null, 2) + two]) {
      expect(detectImporter({ path: 'x', text })).toBe(otlp);
      for (const chunkBytes of [1, 7, 100_000]) {
        const { outcomes, skipped } = await importText(otlp, text, { chunkBytes });
        expect(skipped).toEqual([]);
        expect(outcomes.map(({ id }) => id.slice(-2))).toEqual(['h1', 'h2']);
      }
    }
    const torn = await importText(otlp, `${one}\n${two.slice(0, 90)}\n${two}\n`, { chunkBytes: 100_000 });
    expect(torn.outcomes).toHaveLength(2);
    expect(torn.skipped).toHaveLength(1);
  });
});
