import { classifyError, type RSILoop, startCall } from 'rsi-loop';
import { BoundedMap } from 'rsi-loop/kit';
import type { Row } from './import/import-fields.js';
import type { Facts } from './import/outcome-collector.js';
import { addSpan, deploymentOf, kindOf, spanOutcomeId, withException } from './import/span.js';

/** Options of the span processor. */
export interface SpanProcessorOptions {
  /** Value of `source` in the outcomes. Default `otel`. */
  readonly source?: string;
}

/** Span of the OpenTelemetry SDK, 1 and 2; only the part used here. */
interface ReadableSpan {
  readonly name: string;
  spanContext(): { readonly traceId: string; readonly spanId: string };
  readonly parentSpanId?: string | undefined;
  readonly parentSpanContext?: { readonly spanId: string } | undefined;
  /** Seconds and nanoseconds. */
  readonly startTime: readonly [number, number];
  readonly endTime: readonly [number, number];
  readonly status: { readonly code: number; readonly message?: string | undefined };
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly attributes?: object | undefined }[];
  readonly resource: { readonly attributes: Readonly<Record<string, unknown>> };
}

interface OpenSpan {
  /** Task of the loop that encloses the spans inside this one. */
  readonly around: string | undefined;
  /** Task that encloses this span. */
  readonly within: string | undefined;
}

/** Maximum number of open spans. Spans that never end make room for others. */
const MAX_OPEN = 10_000;
const ERROR = 2;

/**
 * Span processor for OpenTelemetry. Spans of models, tools and agents become outcomes when they end. They are read like
 * imported traces (GenAI conventions old and new, OpenInference, Traceloop, the AI SDK). Spans begun inside `loop.run`
 * are children of that task. Other spans are ignored; no span is changed or sent anywhere.
 */
export function rsiSpanProcessor(loop: RSILoop, { source = 'otel' }: SpanProcessorOptions = {}) {
  const open = new BoundedMap<OpenSpan>(MAX_OPEN);
  const done = Promise.resolve();

  function start(span: ReadableSpan): void {
    const { traceId, spanId } = span.spanContext();
    const parentId = parentOf(span);
    // Used only to find the enclosing task; the kind of the span is known when it ends.
    const call = startCall(loop, { task: span.name });
    if (call === undefined) return;
    const within = (parentId === undefined ? undefined : open.get(parentId)?.around) ?? call.parent;
    const kind = kindOf(span.attributes);
    const isTask = kind !== undefined && (kind !== 'step' || parentId === undefined);
    open.put(spanId, { around: isTask ? spanOutcomeId(traceId, spanId) : within, within });
  }

  function end(span: ReadableSpan): void {
    const { traceId, spanId } = span.spanContext();
    const known = open.take(spanId);
    if (known === undefined) return; // begun while capture was off, or before the processor existed
    const { status, name, attributes, events, resource } = span;
    addSpan(
      {
        traceId,
        spanId,
        parentId: parentOf(span),
        name,
        startMs: msOf(span.startTime),
        endMs: msOf(span.endTime),
        failed: status.code === ERROR,
        message: status.message,
        attributes: withException(attributes, events as readonly Row[]), // rows with a name and attributes
        deployment: deploymentOf(resource.attributes),
      },
      { add: (task, id, facts) => record({ ...facts, task, id }, known.within), ignore: () => {} },
    );
  }

  function record(found: Facts & { readonly task: string; readonly id: string }, parent: string | undefined): void {
    const isUnnamed = found.tool !== undefined && !found.success && classifyError(found.error).category === 'unknown';
    loop.observer.record({ ...found, parent, source, ...(isUnnamed && { issues: ['tool_failure'] }) });
  }

  return {
    onStart: (span: ReadableSpan, _context?: unknown): void => quietly(() => start(span)),
    onEnd: (span: ReadableSpan): void => quietly(() => end(span)),
    forceFlush: (): Promise<void> => done,
    shutdown: (): Promise<void> => done,
  };
}

function parentOf({ parentSpanContext, parentSpanId }: ReadableSpan): string | undefined {
  return parentSpanContext?.spanId ?? parentSpanId;
}

function msOf([seconds, nanoseconds]: readonly [number, number]): number {
  return seconds * 1_000 + nanoseconds / 1e6;
}

/** Runs `work` and catches its errors: a processor must never throw into the code it watches. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // Spans of an unknown shape are left out.
  }
}
