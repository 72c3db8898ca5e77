import { type Deployment, LoopError } from 'rsi-loop';
import { readAs } from 'rsi-loop/kit';
import { parseExact } from '../exact-json.js';
import { idOf, isRow, nonEmptyText, numberOf, type Row, rowOf, rowsOf, timeOf } from '../import-fields.js';
import type { Batch, InputHead } from '../importer.js';
import { OutcomeCollector } from '../outcome-collector.js';
import { documentImporter } from '../read-documents.js';
import { addSpans, deploymentOf, memberOf, type Span, withException } from '../span.js';

/**
 * Importer for traces as OTLP/JSON: what exporters send to `/v1/traces`, and what collectors write to files, one
 * request per line.
 */
export const otlp = documentImporter({
  name: 'otel',
  title: 'OpenTelemetry traces (OTLP/JSON)',
  detect: ({ text }: InputHead) => /"resourceSpans"|"resource_spans"/.test(text),
  open: (found) => ({
    member: (key, value) => {
      if (key === 'resourceSpans' || key === 'resource_spans') addSpans(spansOf(value, found), found);
    },
  }),
});

/** Facts that a receiver of traces knows about time and sender. */
export interface TracesOptions {
  /** Time for spans without one. */
  readonly atMs: number;
  /** Name of the sender for skipped records. */
  readonly path?: string;
}

/**
 * Returns the outcomes of one OTLP/JSON request, as `POST /v1/traces` receives it. Its other records are in `skipped`
 * and `leftOut`.
 * @throws LoopError `invalid-input` if the text is invalid JSON, with the error of the parser as its cause, or no export of traces.
 */
export function outcomesOfTraces(text: string, { atMs, path = '/v1/traces' }: TracesOptions): Batch {
  const request = readAs('the text', 'valid JSON', () => parseExact(text));
  const resources = isRow(request) ? memberOf(request, 'resourceSpans', 'resource_spans') : undefined;
  const isEmpty = isRow(request) && Object.keys(request).length === 0;
  if (!Array.isArray(resources) && !isEmpty) {
    throw new LoopError('invalid-input', 'no traces: give {"resourceSpans": [...]}');
  }
  const found = new OutcomeCollector({ path, atMs }, otlp.name);
  const all: readonly unknown[] = Array.isArray(resources) ? resources : [];
  addSpans(
    all.flatMap((resource) => spansOf(resource, found)),
    found,
  );
  return found.batch(1, Buffer.byteLength(text));
}

function spansOf(value: unknown, found: OutcomeCollector): readonly Span[] {
  if (!isRow(value)) {
    found.reject('an entry of resourceSpans is not an object');
    return [];
  }
  const deployment = deploymentOf(attributesOf(rowOf(value.resource).attributes));
  const scopes = memberOf(value, 'scopeSpans', 'scope_spans', 'instrumentationLibrarySpans');
  const spans: Span[] = [];
  for (const scope of rowsOf(scopes)) {
    for (const row of Array.isArray(scope.spans) ? (scope.spans as readonly unknown[]) : []) {
      const span = isRow(row) ? spanOf(row, deployment) : 'a span is not an object';
      if (typeof span === 'string') found.reject(span);
      else spans.push(span);
    }
  }
  return spans;
}

/** Returns the span, or the reason why it is not one. */
function spanOf(row: Row, deployment: Deployment): Span | string {
  const spanId = idOf(memberOf(row, 'spanId', 'span_id'));
  if (spanId === undefined) return 'a span has no spanId';
  const status = rowOf(row.status);
  const events = rowsOf(row.events).map((event) => ({ ...event, attributes: attributesOf(event.attributes) }));
  return {
    traceId: idOf(memberOf(row, 'traceId', 'trace_id')),
    spanId,
    parentId: parentOf(memberOf(row, 'parentSpanId', 'parent_span_id')),
    name: nonEmptyText(row.name) ?? '',
    startMs: timeOf(memberOf(row, 'startTimeUnixNano', 'start_time_unix_nano')),
    endMs: timeOf(memberOf(row, 'endTimeUnixNano', 'end_time_unix_nano')),
    failed: status.code === 2 || status.code === '2' || status.code === 'STATUS_CODE_ERROR',
    message: nonEmptyText(status.message),
    attributes: withException(attributesOf(row.attributes), events),
    deployment,
  };
}

/** Converts the list of typed pairs to a plain object. */
function attributesOf(value: unknown): Row {
  const attributes: Record<string, unknown> = Object.create(null) as Record<string, unknown>; // names come from outside
  for (const { key, value: typed } of rowsOf(value)) {
    if (typeof key === 'string') attributes[key] = readValue(typed, 0);
  }
  return attributes;
}

/** Maximum depth, more than any instrumentation writes. */
const MAX_DEPTH = 8;

function readValue(typed: unknown, depth: number): unknown {
  if (!isRow(typed) || depth > MAX_DEPTH) return undefined;
  if (typed.stringValue !== undefined) return typed.stringValue;
  // Whole numbers are written as text here, as they may exceed 2^53.
  if (typed.intValue !== undefined) return numberOf(typed.intValue);
  if (typed.doubleValue !== undefined) return numberOf(typed.doubleValue);
  if (typed.boolValue !== undefined) return typed.boolValue;
  if (isRow(typed.arrayValue)) return rowsOf(typed.arrayValue.values).map((each) => readValue(each, depth + 1));
  if (isRow(typed.kvlistValue)) return attributesOf(typed.kvlistValue.values);
  return undefined;
}

/** Returns the id of the parent. Some exporters write zeros if there is none. */
function parentOf(value: unknown): string | undefined {
  const id = idOf(value);
  return id === undefined || /^0+$/.test(id) ? undefined : id;
}
