import { SpanStatusCode } from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { RSILoop } from 'rsi-loop';
import { rsiSpanProcessor } from 'rsi-loop/sources/opentelemetry';
import { printPatterns } from './print-patterns.js';

const loop = new RSILoop();
const provider = new BasicTracerProvider({ spanProcessors: [rsiSpanProcessor(loop)] });

// Your instrumentation makes such spans; here they are made by hand.
const tracer = provider.getTracer('agent');
for (let call = 0; call < 20; call++) {
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-5' };
  const span = tracer.startSpan('chat gpt-5', { attributes });
  if (call % 4 === 0) span.setStatus({ code: SpanStatusCode.ERROR, message: '429 Too Many Requests' });
  span.end();
}
await printPatterns(loop); // model_call: rate_limit, 25 % of 20
await loop.close();
