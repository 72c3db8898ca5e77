import { LoopError } from 'rsi-loop';
import { Problem } from '../../http/http-problem.js';
import { outcomesOfTraces } from '../import/formats/otlp.js';
import { TRACES, TRACES_ANSWER } from './schemas.js';
import { JSON_TYPE, type Route, type Service } from './service.js';

/** Error message for an exporter that sends protobuf. */
const NO_PROTOBUF =
  'traces are read as OTLP/JSON here: set OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json, or use the JSON exporter of your SDK';
const PROTOBUF_TYPES = ['application/x-protobuf', 'application/protobuf'];

/**
 * Route `POST /v1/traces` for the spans of OpenTelemetry exporters. Its body is read as text, because it holds ids
 * beyond 2^53.
 */
export function tracesRoute({ ingest, settings }: Service): Route {
  return {
    method: 'POST',
    url: '/v1/traces',
    summary: 'Take the spans of an OpenTelemetry exporter (OTLP/JSON, plain or gzip)',
    body: { [JSON_TYPE]: TRACES },
    takesText: true,
    refuses: { types: PROTOBUF_TYPES, detail: NO_PROTOBUF },
    answers: { status: 200, description: 'The records are safe.', content: { [JSON_TYPE]: TRACES_ANSWER } },
    handler: async ({ body }) => {
      ingest.mustKeepUp();
      const { outcomes, skipped } = readTraces(String(body), settings.clock.now());
      // Exporters repeat requests that got no answer; the ids of their spans show it.
      for (const outcome of outcomes) ingest.takeOnce(outcome, outcome);
      await ingest.safe();
      if (skipped.length === 0) return {};
      return { partialSuccess: { rejectedSpans: String(skipped.length), errorMessage: skipped[0]?.reason ?? '' } };
    },
  };
}

function readTraces(text: string, atMs: number): ReturnType<typeof outcomesOfTraces> {
  try {
    return outcomesOfTraces(text, { atMs });
  } catch (error) {
    const isJson = LoopError.is(error) && error.cause === undefined;
    throw new Problem(400, isJson ? error.message : 'the body is not valid JSON', {
      field: isJson ? 'resourceSpans' : '(body)',
    });
  }
}
