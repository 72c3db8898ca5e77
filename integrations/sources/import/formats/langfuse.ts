import { idOf, isRow, numberOf, type Row, rowOf, textOf, timeOf } from '../fields.js';
import type { Importer, InputHead } from '../importer.js';
import { OutcomeCollector } from '../outcome-collector.js';
import { type DocumentReader, type Place, readDocuments } from '../read-documents.js';
import { addSpan, type SpanKind } from '../span.js';

const SOURCE = 'langfuse';

/**
 * Importer for traces with their observations, as Langfuse exports them and as its API answers: a document, a list, or
 * one per line.
 */
export const langfuse: Importer = {
  name: SOURCE,
  title: 'traces of Langfuse (JSON)',
  detect: ({ text }: InputHead) =>
    /"parentObservationId"/.test(text) || (/"observations"\s*:\s*\[/.test(text) && /"trace(?:Id)?"\s*:/.test(text)),
  read: (input) => {
    const gathering = new OutcomeCollector(input, SOURCE);
    return readDocuments(input, gathering, new Observations(gathering));
  },
};

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
  readonly #gathering: OutcomeCollector;
  #session: string | undefined;

  constructor(gathering: OutcomeCollector) {
    this.#gathering = gathering;
  }

  member(key: string | undefined, value: unknown, place: Place): void {
    if (key === 'trace') this.#session = textOf(rowOf(value).sessionId);
    else if (key === 'sessionId') this.#session = textOf(value);
    else if (key === undefined || key === 'observations' || key === 'data') this.#entry(value, place);
  }

  row(row: Row, place: Place): boolean {
    if (textOf(row.type) === undefined || textOf(row.traceId) === undefined) return false;
    this.#observation(row, place);
    return true;
  }

  end(): void {
    this.#session = undefined;
  }

  /** Reads an observation, or a trace that contains its observations. */
  #entry(value: unknown, place: Place): void {
    if (!isRow(value)) {
      this.#gathering.reject('an observation is not an object', place.line);
      return;
    }
    if (!Array.isArray(value.observations)) {
      this.#observation(value, place);
      return;
    }
    this.#session = textOf(rowOf(value.trace).sessionId) ?? textOf(value.sessionId);
    for (const each of value.observations as readonly unknown[]) this.#entry(each, place);
    this.#session = undefined;
  }

  #observation(row: Row, place: Place): void {
    const type = (textOf(row.type) ?? '').toUpperCase();
    const spanId = idOf(row.id);
    const kind = KINDS[type];
    if (spanId === undefined) {
      this.#gathering.reject('an observation has no id', place.line);
      return;
    }
    if (kind === undefined) {
      this.#gathering.ignore(type === 'EVENT' ? 'event' : 'observation of a type that is not known');
      return;
    }
    const startMs = timeOf(row.startTime);
    const latencyMs = (numberOf(row.latency) ?? Number.NaN) * 1e3;
    const endMs = timeOf(row.endTime) ?? (startMs === undefined ? undefined : timeOf(startMs + latencyMs));
    addSpan(
      {
        kind,
        traceId: idOf(row.traceId),
        spanId,
        parentId: idOf(row.parentObservationId),
        name: textOf(row.name) ?? '',
        startMs,
        endMs,
        failed: row.level === 'ERROR',
        message: textOf(row.statusMessage),
        attributes: attributesOf(row, this.#session),
      },
      this.#gathering,
    );
  }
}

/** Returns the facts of an observation under the attribute names of spans. */
function attributesOf(row: Row, session: string | undefined): Row {
  const usage = isRow(row.usageDetails) ? row.usageDetails : rowOf(row.usage);
  return {
    'session.id': session ?? textOf(row.sessionId),
    'gen_ai.request.model': textOf(row.model) ?? textOf(row.providedModelName),
    'gen_ai.usage.input_tokens': numberOf(usage.input) ?? numberOf(row.promptTokens),
    'gen_ai.usage.output_tokens': numberOf(usage.output) ?? numberOf(row.completionTokens),
    'gen_ai.usage.cost':
      numberOf(row.totalCost) ?? numberOf(row.calculatedTotalCost) ?? numberOf(rowOf(row.costDetails).total),
  };
}
