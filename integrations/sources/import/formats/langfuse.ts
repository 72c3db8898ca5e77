import { idOf, isRow, nonEmptyText, numberOf, type Row, rowOf, secondsOf, timeOf } from '../import-fields.js';
import type { InputHead } from '../importer.js';
import type { OutcomeCollector } from '../outcome-collector.js';
import { type DocumentReader, documentImporter, type Place } from '../read-documents.js';
import { addSpan, type SpanKind } from '../span.js';

/**
 * Importer for traces with their observations, as Langfuse exports them and as its API answers: a document, a list, or
 * one per line.
 */
export const langfuse = documentImporter({
  name: 'langfuse',
  title: 'traces of Langfuse (JSON)',
  detect: ({ text }: InputHead) =>
    /"parentObservationId"/.test(text) || (/"observations"\s*:\s*\[/.test(text) && /"trace(?:Id)?"\s*:/.test(text)),
  open: (found) => new Observations(found),
});

const KINDS: Readonly<Record<string, SpanKind>> = {
  GENERATION: 'model',
  EMBEDDING: 'model',
  TOOL: 'tool',
  RETRIEVER: 'tool',
  AGENT: 'agent',
  SPAN: 'step',
  CHAIN: 'step',
  EVALUATOR: 'step',
  GUARDRAIL: 'step',
};

class Observations implements DocumentReader {
  #session: string | undefined;

  constructor(private readonly found: OutcomeCollector) {}

  member(key: string | undefined, value: unknown, place: Place): void {
    if (key === 'trace') this.#session = nonEmptyText(rowOf(value).sessionId);
    else if (key === 'sessionId') this.#session = nonEmptyText(value);
    else if (key === undefined || key === 'observations' || key === 'data') this.#entry(value, place);
  }

  row(row: Row, place: Place): boolean {
    if (nonEmptyText(row.type) === undefined || nonEmptyText(row.traceId) === undefined) return false;
    this.#observation(row, place);
    return true;
  }

  /** Reads an observation, or a trace that contains its observations. */
  #entry(value: unknown, place: Place): void {
    if (!isRow(value)) {
      this.found.reject('an observation is not an object', place.line);
      return;
    }
    if (!Array.isArray(value.observations)) {
      this.#observation(value, place);
      return;
    }
    this.#session = nonEmptyText(rowOf(value.trace).sessionId) ?? nonEmptyText(value.sessionId);
    for (const each of value.observations as readonly unknown[]) this.#entry(each, place);
    this.#session = undefined;
  }

  #observation(row: Row, place: Place): void {
    const type = (nonEmptyText(row.type) ?? '').toUpperCase();
    const spanId = idOf(row.id);
    const kind = KINDS[type];
    if (spanId === undefined) {
      this.found.reject('an observation has no id', place.line);
      return;
    }
    if (kind === undefined) {
      this.found.ignore(type === 'EVENT' ? 'event' : 'observation of a type that is not known');
      return;
    }
    const startMs = timeOf(row.startTime);
    const latencyMs = secondsOf(row.latency) ?? Number.NaN;
    const endMs = timeOf(row.endTime) ?? (startMs === undefined ? undefined : timeOf(startMs + latencyMs));
    addSpan(
      {
        kind,
        traceId: idOf(row.traceId),
        spanId,
        parentId: idOf(row.parentObservationId),
        name: nonEmptyText(row.name) ?? '',
        startMs,
        endMs,
        failed: row.level === 'ERROR',
        message: nonEmptyText(row.statusMessage),
        attributes: attributesOf(row, this.#session),
      },
      this.found,
    );
  }
}

/** Returns the facts of an observation under the attribute names of spans. */
function attributesOf(row: Row, session: string | undefined): Row {
  const usage = isRow(row.usageDetails) ? row.usageDetails : rowOf(row.usage);
  return {
    'session.id': session ?? nonEmptyText(row.sessionId),
    'gen_ai.request.model': nonEmptyText(row.model) ?? nonEmptyText(row.providedModelName),
    'gen_ai.usage.input_tokens': numberOf(usage.input) ?? numberOf(row.promptTokens),
    'gen_ai.usage.output_tokens': numberOf(usage.output) ?? numberOf(row.completionTokens),
    'gen_ai.usage.cost':
      numberOf(row.totalCost) ?? numberOf(row.calculatedTotalCost) ?? numberOf(rowOf(row.costDetails).total),
  };
}
