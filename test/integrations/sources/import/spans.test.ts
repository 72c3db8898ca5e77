import { describe, expect, it } from 'vitest';
import { detectImporter } from '../../../../integrations/sources/import/detect.js';
import { langfuse } from '../../../../integrations/sources/import/formats/langfuse.js';
import { otelSpans } from '../../../../integrations/sources/import/formats/otel-spans.js';
import { importText } from './import-text.js';

const TRACE = '100927429609276267646756448943279827607';
const RUN = '12324293800750531911';
const CALL = '9295669169508793927';

/** As Python writes it: ids and times are whole numbers beyond 2^53. */
function dumped(spanId: string, parent: string | null, name: string, attributes: object, status = '"ok"'): string {
  const context = (id: string | null) => `{"trace_id": ${TRACE}, "span_id": ${id}, "is_remote": false}`;
  return `{"name": ${JSON.stringify(name)}, "kind": "internal", "parent": ${context(parent)},
    "start_time": 1770000000123456789, "end_time": 1770000001623456789,
    "status": {"status_code": ${status}, "description": "429 Too Many Requests"}, "context": ${context(spanId)},
    "attributes": ${JSON.stringify(attributes)}, "events": [], "resource": {"attributes": {"service.name": "unknown_service"}}}`;
}

describe('OpenTelemetry spans as JSON', () => {
  const spans = [
    dumped(CALL, RUN, 'call_llm m', {
      'gen_ai.operation.name': 'call_llm',
      'gen_ai.request.model': 'm-span',
      'gen_ai.usage.input_tokens': 269,
      'gen_ai.usage.output_tokens': 16,
      'gen_ai.usage.input_cost': 0.00002,
      'gen_ai.usage.output_cost': 0.00001,
      note: 'ids such as 12324293800750531911 in a text stay',
    }),
    dumped(
      '13687147528289423029',
      RUN,
      'execute_tool clock',
      { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'clock' },
      '"error"',
    ),
    dumped(
      RUN,
      null,
      'invoke_agent [any]',
      { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'any' },
      '"unset"',
    ),
  ];

  it('reads any-agent, with ids and times beyond 2^53 as they are', async () => {
    const text = `{"spans": [${spans.join(',')}], "final_output": "7"}`;
    expect(detectImporter({ path: 't.json', text })).toBe(otelSpans);
    for (const chunkBytes of [1, 100_000]) {
      const { outcomes } = await importText(otelSpans, text, { chunkBytes });
      expect(outcomes.map(({ id }) => id)).toEqual([
        `${TRACE}-${CALL}`,
        `${TRACE}-13687147528289423029`,
        `${TRACE}-${RUN}`,
      ]);
      expect(outcomes.map(({ parent }) => parent)).toEqual([`${TRACE}-${RUN}`, `${TRACE}-${RUN}`, undefined]);
      expect(outcomes[0]).toMatchObject({
        task: 'model_call',
        model: 'm-span',
        tokens: { input: 269, output: 16 },
        durationMs: 1_500,
        atMs: 1_770_000_001_623,
      });
      expect(outcomes[0]?.costUsd).toBeCloseTo(0.00003, 8);
      expect(outcomes[1]).toMatchObject({ task: 'clock', success: false, issues: ['rate_limit'] });
      expect(outcomes[2]).toMatchObject({ task: 'any', success: true });
    }
  });

  it('reads a list, one per line, and one after the other as console exporters print them', async () => {
    const flat = spans.map((span) => JSON.stringify(JSON.parse(span)));
    for (const text of [`[${spans.join(',')}]`, `${flat.join('\n')}\n`, spans.join('\n')]) {
      expect(detectImporter({ path: 't.json', text })).toBe(otelSpans);
      const { outcomes, skipped } = await importText(otelSpans, text, { chunkBytes: 100_000 });
      expect(skipped).toEqual([]);
      expect(outcomes.map(({ task }) => task)).toEqual(['model_call', 'clock', 'any']);
    }
  });

  it('reads spans of the other spellings', async () => {
    const python = {
      name: 'chat',
      context: { trace_id: '0xaf', span_id: '0xb1', trace_state: '[]' },
      parent_id: null,
      start_time: '2026-02-03T10:00:00.000000Z',
      end_time: '2026-02-03T10:00:02.000000Z',
      status: { status_code: 'ERROR', description: 'overloaded' },
      attributes: { 'gen_ai.operation.name': 'chat' },
    };
    const javaScript = {
      traceId: 'af',
      id: 'b2',
      parentSpanContext: { traceId: 'af', spanId: 'b1' },
      name: 'tool',
      startTime: [1_770_000_000, 500_000_000],
      endTime: [1_770_000_001, 0],
      status: { code: 2, message: 'connect ECONNREFUSED' },
      attributes: { 'openinference.span.kind': 'TOOL', 'tool.name': 'search' },
      events: [],
    };
    const { outcomes } = await importText(otelSpans, JSON.stringify([python, javaScript]));
    expect(outcomes).toMatchObject([
      { id: 'af-b1', success: false, issues: ['overloaded'], durationMs: 2_000 },
      { id: 'af-b2', parent: 'af-b1', success: false, issues: ['network'], durationMs: 500, task: 'search' },
    ]);
  });

  it('reads attributes that were written without a span around them', async () => {
    const text = JSON.stringify(
      { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'weather', output: 'x' },
      null,
      2,
    );
    expect(detectImporter({ path: 't.json', text })).toBe(otelSpans);
    expect((await importText(otelSpans, text)).outcomes).toMatchObject([{ task: 'weather', success: true }]);
  });
});

describe('spans of Phoenix', () => {
  const span = (id: string, kind: string, parent: string | null, attributes: object = {}) => ({
    id,
    name: id,
    context: { trace_id: 't', span_id: id },
    span_kind: kind,
    parent_id: parent,
    start_time: '2026-07-09T00:00:00+00:00',
    end_time: '2026-07-09T00:00:01+00:00',
    status_code: 'ERROR',
    status_message: 'connect ECONNRESET 10.0.0.1:443',
    attributes,
  });
  const spans = [span('run', 'AGENT', null), span('ask', 'LLM', 'run'), span('search', 'TOOL', 'run')];
  const expected = [
    ['run', false, undefined, 'connect ECONNRESET 10.0.0.1:443'],
    ['model_call', false, 't-run', 'connect ECONNRESET 10.0.0.1:443'],
    ['search', false, 't-run', 'connect ECONNRESET 10.0.0.1:443'],
  ];
  const read = async (text: string) => {
    expect(detectImporter({ path: 't.json', text })).toBe(otelSpans);
    const { outcomes, skipped } = await importText(otelSpans, text);
    expect(skipped).toEqual([]);
    return outcomes.map(({ task, success, parent, error }) => [task, success, parent, error?.message]);
  };

  it('fail by the status beside their attributes, and are what their kind says', async () => {
    expect(await read(JSON.stringify(spans))).toEqual(expected);
    expect(await read(spans.map((each) => `${JSON.stringify(each)}\n`).join(''))).toEqual(expected);
  });

  it('may be a table: each member of a span by its path', async () => {
    const flat = spans.map(({ context, attributes: _, ...rest }) => ({
      ...rest,
      'context.trace_id': context.trace_id,
      'context.span_id': context.span_id,
      'attributes.openinference.span.kind': rest.span_kind,
    }));
    expect(await read(JSON.stringify(flat))).toEqual(expected);
  });

  it('may have attributes as objects in objects', async () => {
    const nested = span('ask', 'LLM', null, {
      llm: { model_name: 'm', token_count: { prompt: 9, completion: 2, prompt_details: { cache_read: 4 } } },
    });
    const { outcomes } = await importText(otelSpans, JSON.stringify([nested]));
    expect(outcomes).toMatchObject([
      { task: 'model_call', model: 'm', tokens: { input: 9, output: 2, cachedInput: 4 } },
    ]);
  });

  it.each([
    ['a list of traces', [{ trace_id: 't', spans }]],
    ['traces in an object', { data: { traces: [{ trace_id: 't', spans }] } }],
    ['lists of spans', [spans]],
  ])('may stand in %s', async (_, value) => {
    expect(await read(JSON.stringify(value))).toEqual(expected);
    expect(await read(JSON.stringify(value, null, 2))).toEqual(expected);
  });
});
describe('Langfuse traces', () => {
  const observation = (id: string, type: string, extra: object = {}) => ({
    id,
    traceId: 't-1',
    type,
    name: `name ${id}`,
    level: 'DEFAULT',
    statusMessage: null,
    startTime: '2026-02-03T10:00:00.000Z',
    endTime: '2026-02-03T10:00:01.500Z',
    parentObservationId: 'o1',
    ...extra,
  });
  const observations = [
    observation('o2', 'GENERATION', {
      model: 'm-fuse',
      usageDetails: { input: 9, output: 3, total: 12 },
      totalCost: 0.01,
      endTime: null,
      latency: 2.5,
    }),
    observation('o1', 'SPAN', { parentObservationId: null, name: 'workflow' }),
    observation('o3', 'TOOL', { level: 'ERROR', statusMessage: 'Request timed out' }),
    observation('o4', 'SPAN'),
    observation('o5', 'EVENT'),
    observation('o6', 'AGENT', { name: 'helper', level: 'WARNING', statusMessage: 'slow' }),
  ];

  it.each([
    ['an export', JSON.stringify({ trace: { id: 't-1', sessionId: 's-1' }, observations }, null, 2)],
    ['an answer of its API', JSON.stringify({ id: 't-1', sessionId: 's-1', observations })],
  ])('reads %s', async (_, text) => {
    expect(detectImporter({ path: 'l.json', text })).toBe(langfuse);
    const { outcomes, leftOut, skipped } = await importText(langfuse, text);
    expect(skipped).toEqual([]);
    expect(outcomes).toMatchObject([
      {
        task: 'model_call',
        model: 'm-fuse',
        tokens: { input: 9, output: 3 },
        costUsd: 0.01,
        durationMs: 2_500,
        parent: 't-1-o1',
      },
      { task: 'workflow', success: true, session: 's-1' },
      { task: 'name o3', tool: 'name o3', success: false, issues: ['timeout'] },
      { task: 'helper', success: true },
    ]);
    expect(leftOut).toEqual({ 'step around other steps': 1, event: 1 });
  });

  it('reads observations one per line', async () => {
    const text = observations.map((each) => `${JSON.stringify(each)}\n`).join('');
    expect(detectImporter({ path: 'l.jsonl', text })).toBe(langfuse);
    const { outcomes } = await importText(langfuse, text, { chunkBytes: 100_000 });
    expect(outcomes.map(({ task }) => task)).toEqual(['model_call', 'workflow', 'name o3', 'helper']);
  });
});
