import { idOf, isRow, numberOf, type Row, rowOf, rowsOf, textOf, timeOf } from '../fields.js';
import { Gathering } from '../gathering.js';
import type { Importer, InputHead } from '../importer.js';
import { type DocumentReader, type Place, readDocuments } from '../read-documents.js';
import { addSpan, kindOf, memberOf, withException } from '../span.js';

const SOURCE = 'otel';
/** Attribute names as keys of an object; in OTLP they are values. */
const ATTRIBUTE = /"(?:gen_ai\.[\w.]+|openinference\.span\.kind|traceloop\.span\.kind|ai\.operationId)"\s*:/;
/** A span of the console exporters of OpenTelemetry. */
const CONTEXT = /"context"\s*:\s*\{\s*"trace_?id"/i;

/** Spans as tracing libraries dump them: any-agent, the console exporters, a list of spans, one per line, a single one. */
export const otelSpans: Importer = {
  name: SOURCE,
  title: 'OpenTelemetry spans as JSON (any-agent, console exporters)',
  detect: ({ text }: InputHead) => ATTRIBUTE.test(text) || CONTEXT.test(text),
  read: (input) => {
    const gathering = new Gathering(input, SOURCE);
    return readDocuments(input, gathering, new Spans(gathering));
  },
};

class Spans implements DocumentReader {
  readonly #gathering: Gathering;
  /** Members of a document that is one span. */
  #own: Record<string, unknown> = {};
  #place: Place | undefined;

  constructor(gathering: Gathering) {
    this.#gathering = gathering;
  }

  member(key: string | undefined, value: unknown, place: Place): void {
    if (key === undefined || key === 'spans') {
      if (isRow(value)) addDumped(value, place, this.#gathering);
      else this.#gathering.skip('a span is no object', place.line);
      return;
    }
    this.#place ??= place;
    const before = this.#own[key];
    // The entries of a list come one by one.
    if (key === 'events') this.#own[key] = [...(Array.isArray(before) ? before.slice(0, MAX_EVENTS) : []), value];
    else if (key !== '__proto__') this.#own[key] = value;
  }

  row(row: Row, place: Place): boolean {
    if (Array.isArray(row.spans)) return false;
    addDumped(row, place, this.#gathering);
    return true;
  }

  end(): void {
    const row = this.#own;
    if (this.#place && isSpan(row)) addDumped(row, this.#place, this.#gathering);
    this.#own = {};
    this.#place = undefined;
  }
}

const MAX_EVENTS = 64;

function isSpan(row: Row): boolean {
  return isRow(row.attributes) || isRow(row.context) || kindOf(row) !== undefined;
}

function addDumped(row: Row, place: Place, gathering: Gathering): void {
  const context = isRow(row.context) ? row.context : rowOf(row.spanContext);
  const status = rowOf(row.status);
  // Attributes written without a span around them are all there is.
  const attributes = isRow(row.attributes) ? row.attributes : row;
  const { traceId, spanId } = idsOf(row, context);
  const parent = isRow(row.parent) ? idOf(memberOf(row.parent, 'span_id', 'spanId')) : undefined;
  const parentContext = idOf(memberOf(rowOf(row.parentSpanContext), 'spanId'));
  addSpan(
    {
      traceId,
      spanId: spanId ?? place.digest(),
      parentId:
        parent ?? parentContext ?? hex(memberOf(row, 'parent_id', 'parentId', 'parentSpanId', 'parent_span_id')),
      name: textOf(row.name) ?? '',
      startMs: spanTime(memberOf(row, 'start_time', 'startTime', 'start_time_unix_nano')),
      endMs: spanTime(memberOf(row, 'end_time', 'endTime', 'end_time_unix_nano')),
      failed: hasFailed(memberOf(status, 'status_code', 'code') ?? row.status),
      message: textOf(memberOf(status, 'description', 'message')),
      attributes: withException(attributes, rowsOf(row.events)),
      service: textOf(rowOf(rowOf(row.resource).attributes)['service.name']),
    },
    gathering,
  );
}

function idsOf(row: Row, context: Row) {
  return {
    traceId: hex(memberOf(context, 'trace_id', 'traceId') ?? memberOf(row, 'trace_id', 'traceId')),
    spanId: hex(memberOf(context, 'span_id', 'spanId') ?? memberOf(row, 'span_id', 'spanId', 'id')),
  };
}

/** Console exporters write ids with `0x` in front. */
function hex(value: unknown): string | undefined {
  return idOf(value)?.replace(/^0x/, '');
}

/** JavaScript writes `[seconds, nanoseconds]`, Python text or nanoseconds. */
function spanTime(value: unknown): number | undefined {
  if (!Array.isArray(value)) return timeOf(value);
  const [seconds, nanoseconds] = value as readonly unknown[];
  const ms = (numberOf(seconds) ?? Number.NaN) * 1e3 + (numberOf(nanoseconds) ?? 0) / 1e6;
  return timeOf(Number.isNaN(ms) ? undefined : ms);
}

function hasFailed(status: unknown): boolean {
  return status === 2 || (typeof status === 'string' && /^(?:status_?code[._]?)?error$/i.test(status));
}
