import { createHash } from 'node:crypto';
import { idOf, isRow, nonEmptyText, numberOf, type Row, rowOf, rowsOf, timeOf } from '../import-fields.js';
import type { InputHead } from '../importer.js';
import type { OutcomeCollector } from '../outcome-collector.js';
import { type DocumentReader, documentImporter, type Place } from '../read-documents.js';
import {
  addSpans,
  deploymentOf,
  kindNamed,
  kindOf,
  memberOf,
  type Span,
  type SpanKind,
  withException,
} from '../span.js';

/** Attribute names as keys of an object, flat or prefixed with `attributes.`; in OTLP they are values. */
const ATTRIBUTE =
  /"(?:attributes\.)?(?:gen_ai\.[\w.]+|openinference\.span\.kind|traceloop\.span\.kind|ai\.operationId)"\s*:/;
/** Marker of a span from the console exporters of OpenTelemetry, and of Phoenix. */
const CONTEXT = /"context"\s*:\s*\{\s*"trace_?id"|"context\.span_id"\s*:/i;
const PHOENIX = /"span_kind"\s*:\s*"(?:AGENT|LLM|TOOL|CHAIN|RETRIEVER|EMBEDDING|RERANKER|GUARDRAIL|EVALUATOR)"/;

/**
 * Importer for spans that tracing libraries dump: any-agent, Phoenix, the console exporters; in a list, one per line,
 * or alone.
 */
export const otelSpans = documentImporter({
  name: 'otel',
  title: 'OpenTelemetry spans as JSON (any-agent, Phoenix, console exporters)',
  detect: ({ text }: InputHead) => ATTRIBUTE.test(text) || CONTEXT.test(text) || PHOENIX.test(text),
  open: (found) => new Spans(found),
});

/** Maximum number of spans read together; parents are searched among them. */
const MAX_TOGETHER = 1_000;
const MAX_EVENTS = 64;
/** Maximum nesting, deeper than any list of traces with lists of spans. */
const MAX_NESTING = 4;

class Spans implements DocumentReader {
  /** Members of a document that is one span. */
  readonly #own: Record<string, unknown> = {};
  #place: Place | undefined;
  #spans: Span[] = [];

  constructor(private readonly found: OutcomeCollector) {}

  member(key: string | undefined, value: unknown, place: Place): void {
    if (key === undefined || key === 'spans' || (!OWN_MEMBERS.has(key) && holdsSpans(value))) {
      this.#entry(value, place, 0);
      return;
    }
    this.#place ??= place;
    const before = this.#own[key];
    // The entries of a list arrive one by one.
    if (key === 'events') this.#own[key] = [...(Array.isArray(before) ? before.slice(0, MAX_EVENTS) : []), value];
    else if (key !== '__proto__') this.#own[key] = value;
  }

  row(row: Row, place: Place): boolean {
    if (!isSpan(row)) return false;
    this.#add(row, () => place.digest());
    return true;
  }

  end(): void {
    const place = this.#place;
    if (place && isSpan(this.#own)) this.#add(this.#own, () => place.digest());
    this.#flush();
  }

  /** Reads a span, a list of spans, or an object with such lists: a trace. */
  #entry(value: unknown, place: Place, depth: number): void {
    if (Array.isArray(value)) {
      for (const each of value as readonly unknown[]) this.#entry(each, place, depth + 1);
      return;
    }
    if (!isRow(value)) {
      this.found.reject('a span is not an object', place.line);
      return;
    }
    const lists = isSpan(value) || depth > MAX_NESTING ? [] : Object.values(value).filter(holdsSpans);
    if (lists.length === 0) this.#add(value, () => digestOf(value));
    for (const list of lists) this.#entry(list, place, depth + 1);
  }

  #add(row: Row, digest: () => string): void {
    this.#spans.push(spanOf(row, digest));
    if (this.#spans.length >= MAX_TOGETHER) this.#flush();
  }

  #flush(): void {
    addSpans(this.#spans, this.found);
    this.#spans = [];
  }
}

/** Members of a span that hold objects but no spans. */
const OWN_MEMBERS: ReadonlySet<string> = new Set(
  'attributes context spanContext parent parentSpanContext status events links resource instrumentationScope'.split(
    ' ',
  ),
);

function isSpan(row: Row): boolean {
  return (
    isRow(row.attributes) || isRow(row.context) || row['context.span_id'] !== undefined || kindOfRow(row) !== undefined
  );
}

/** Returns true for a list of spans, or an object with such a list a few levels below. */
function holdsSpans(value: unknown, depth: unknown = 0): boolean {
  const level = typeof depth === 'number' ? depth + 1 : 1;
  if (level > MAX_NESTING) return false;
  if (Array.isArray(value)) return isRow(value[0]) && (isSpan(value[0]) || holdsSpans(value[0], level));
  return isRow(value) && (Array.isArray(value.spans) || Object.values(value).some((each) => holdsSpans(each, level)));
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

function spanOf(row: Row, digest: () => string): Span {
  const context = isRow(row.context) ? row.context : rowOf(row.spanContext);
  const status = rowOf(row.status);
  const attributes = attributesOf(row);
  const { traceId, spanId } = idsOf(row, context);
  const parent = isRow(row.parent) ? idOf(memberOf(row.parent, 'span_id', 'spanId')) : undefined;
  const parentContext = idOf(memberOf(rowOf(row.parentSpanContext), 'spanId'));
  return {
    traceId,
    spanId: spanId ?? digest(),
    parentId: parent ?? parentContext ?? hex(memberOf(row, 'parent_id', 'parentId', 'parentSpanId', 'parent_span_id')),
    name: nonEmptyText(row.name) ?? '',
    kind: kindOfRow(row),
    startMs: spanTime(memberOf(row, 'start_time', 'startTime', 'start_time_unix_nano')),
    endMs: spanTime(memberOf(row, 'end_time', 'endTime', 'end_time_unix_nano')),
    failed: hasFailed(
      memberOf(status, 'status_code', 'statusCode', 'code') ?? memberOf(row, 'status_code', 'statusCode', 'status'),
    ),
    message: nonEmptyText(
      memberOf(status, 'description', 'message') ?? memberOf(row, 'status_message', 'statusMessage'),
    ),
    attributes: withException(attributes, rowsOf(row.events)),
    deployment: deploymentOf(rowOf(rowOf(row.resource).attributes)),
  };
}

/** Returns the kind of a span. Phoenix's own field takes precedence over the names of attributes. */
function kindOfRow(row: Row): SpanKind | undefined {
  return kindNamed(memberOf(row, 'span_kind', 'spanKind')) ?? kindOf(attributesOf(row));
}

/**
 * Returns attributes with dotted names. They may be written so, as nested objects, or as members of the span that begin
 * with `attributes.`.
 */
function attributesOf(row: Row): Row {
  if (isRow(row.attributes)) return Object.values(row.attributes).some(isRow) ? flat(row.attributes) : row.attributes;
  const own = Object.entries(row).filter(([name]) => name.startsWith(PREFIX));
  // Attributes without a span around them are the whole document.
  return own.length === 0 ? row : Object.fromEntries(own.map(([name, value]) => [name.slice(PREFIX.length), value]));
}

const PREFIX = 'attributes.';

function flat(attributes: Row, prefix = '', depth = 0): Row {
  const names: Record<string, unknown> = Object.create(null) as Record<string, unknown>; // names come from outside
  for (const [name, value] of Object.entries(attributes)) {
    names[prefix + name] = value;
    if (isRow(value) && depth < MAX_NESTING) Object.assign(names, flat(value, `${prefix}${name}.`, depth + 1));
  }
  return names;
}

function idsOf(row: Row, context: Row) {
  return {
    traceId: hex(memberOf(context, 'trace_id', 'traceId') ?? memberOf(row, 'context.trace_id', 'trace_id', 'traceId')),
    spanId: hex(memberOf(context, 'span_id', 'spanId') ?? memberOf(row, 'context.span_id', 'span_id', 'spanId', 'id')),
  };
}

/** Removes the `0x` that console exporters write in front of ids. */
function hex(value: unknown): string | undefined {
  return idOf(value)?.replace(/^0x/, '');
}

/** Reads a time: JavaScript writes `[seconds, nanoseconds]`, Python text or nanoseconds. */
function spanTime(value: unknown): number | undefined {
  if (!Array.isArray(value)) return timeOf(value);
  const [seconds, nanoseconds] = value as readonly unknown[];
  const ms = (numberOf(seconds) ?? Number.NaN) * 1e3 + (numberOf(nanoseconds) ?? 0) / 1e6;
  return timeOf(Number.isNaN(ms) ? undefined : ms);
}

function hasFailed(status: unknown): boolean {
  return status === 2 || (typeof status === 'string' && /^(?:status_?code[._]?)?error$/i.test(status));
}
