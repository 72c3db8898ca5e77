import { type Attributes, context, SpanStatusCode, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { exportOutcomes, type Outcome, RSILoop, untracked } from 'rsi-loop';
import { rsiSpanProcessor } from 'rsi-loop/sources/opentelemetry';
import { describe, expect, it } from 'vitest';

async function recorded(loop: RSILoop): Promise<Outcome[]> {
  await loop.flush();
  const outcomes: Outcome[] = [];
  for await (const outcome of exportOutcomes(loop)) outcomes.push(outcome);
  return outcomes;
}

function traced(loop: RSILoop) {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [rsiSpanProcessor(loop), new SimpleSpanProcessor(exporter)];
  const provider = new BasicTracerProvider({ spanProcessors });
  return { tracer: provider.getTracer('test'), exporter };
}

const NAMES: Readonly<Record<string, Attributes>> = {
  'GenAI conventions': {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm-1',
    'gen_ai.usage.input_tokens': 11,
    'gen_ai.usage.output_tokens': 7,
  },
  'older GenAI conventions': {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm-1',
    'gen_ai.usage.prompt_tokens': 11,
    'gen_ai.usage.completion_tokens': 7,
  },
  OpenInference: {
    'openinference.span.kind': 'LLM',
    'llm.model_name': 'm-1',
    'llm.token_count.prompt': 11,
    'llm.token_count.completion': 7,
  },
};

describe('rsiSpanProcessor', () => {
  it.each(Object.entries(NAMES))('reads calls of models by %s', async (_, attributes) => {
    const loop = new RSILoop();
    const { tracer, exporter } = traced(loop);
    tracer.startSpan('chat m-1', { attributes }).end();
    expect(await recorded(loop)).toMatchObject([
      { task: 'model_call', model: 'm-1', tokens: { input: 11, output: 7 }, success: true, source: 'otel' },
    ]);
    expect(exporter.getFinishedSpans()).toMatchObject([{ name: 'chat m-1', attributes }]);
    await loop.close();
  });

  it('makes children of what lies in what, also through spans that are no tasks and in a task of the loop', async () => {
    const loop = new RSILoop();
    const { tracer } = traced(loop);
    await loop.run('ticket', () => {
      const request = tracer.startSpan('GET /', { attributes: { 'http.method': 'GET' } });
      const inRequest = trace.setSpan(context.active(), request);
      const agent = tracer.startSpan(
        'run',
        { attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper' } },
        inRequest,
      );
      const inAgent = trace.setSpan(inRequest, agent);
      const tool = tracer.startSpan(
        'execute_tool search',
        { attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' } },
        inAgent,
      );
      tool.recordException(new Error('connect ECONNREFUSED'));
      tool.setStatus({ code: SpanStatusCode.ERROR });
      tool.end();
      agent.end();
      request.end();
    });
    const [tool, agent, ticket] = await recorded(loop);
    expect(tool).toMatchObject({ task: 'search', success: false, issues: ['network'], parent: agent?.id });
    expect(agent).toMatchObject({ task: 'helper', parent: ticket?.id });
    expect(ticket?.task).toBe('ticket');
    expect(ticket).not.toHaveProperty('parent');
    await loop.close();
  });

  it('leaves out what is not observed, what is no work of an agent, and spans it cannot read', async () => {
    const loop = new RSILoop();
    const { tracer } = traced(loop);
    untracked(loop, () => tracer.startSpan('chat', { attributes: NAMES.OpenInference ?? {} }).end());
    tracer.startSpan('SELECT', { attributes: { 'db.system': 'sqlite' } }).end();
    const processor = rsiSpanProcessor(loop);
    processor.onStart({} as never);
    processor.onEnd({} as never);
    await Promise.all([processor.forceFlush(), processor.shutdown()]);
    expect(await recorded(loop)).toEqual([]);
    await loop.close();
  });
});
