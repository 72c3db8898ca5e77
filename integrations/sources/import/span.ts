import type { Deployment, TokenUse } from 'rsi-loop';
import { between, idOf, nonEmptyText, numberOf, type Row, rowOf, tokenUse } from './import-fields.js';
import { type Facts, MODEL_CALL, type OutcomeCollector } from './outcome-collector.js';

/** Span of any tracing format, in one form. */
export interface Span {
  /** Absent if the span was written without its context. */
  readonly traceId?: string | undefined;
  readonly spanId: string;
  readonly parentId?: string | undefined;
  readonly name: string;
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
  readonly failed: boolean;
  readonly message?: string | undefined;
  readonly attributes: Row;
  /** Kind of span, if its format states it outside the attributes. */
  readonly kind?: SpanKind | undefined;
  readonly deployment?: Deployment | undefined;
}

/** `step`: a span around or between others, such as a chain. It is a task only if there is nothing around it. */
export type SpanKind = 'model' | 'tool' | 'agent' | 'step';

/** Values of `gen_ai.operation.name`, current and former, and other names used there. */
const OPERATIONS: Readonly<Record<string, SpanKind>> = {
  chat: 'model',
  text_completion: 'model',
  completion: 'model',
  generate_content: 'model',
  embeddings: 'model',
  call_llm: 'model',
  response: 'model',
  execute_tool: 'tool',
  retrieval: 'tool',
  invoke_agent: 'agent',
  invoke_workflow: 'agent',
  create_agent: 'step',
  plan: 'step',
};

/**
 * Values of `openinference.span.kind`, `traceloop.span.kind`, `llm.request.type`, `langsmith.span.kind`, in lower case.
 */
const KINDS: Readonly<Record<string, SpanKind>> = {
  llm: 'model',
  embedding: 'model',
  chat: 'model',
  completion: 'model',
  generation: 'model',
  tool: 'tool',
  retriever: 'tool',
  reranker: 'tool',
  agent: 'agent',
  workflow: 'step',
  chain: 'step',
  task: 'step',
  guardrail: 'step',
  evaluator: 'step',
  prompt: 'step',
};

/** Values of `ai.operationId` of the AI SDK. The model call lies inside the function that the host called. */
const AI_SDK: readonly (readonly [RegExp, SpanKind])[] = [
  [/^ai\.toolCall/, 'tool'],
  [/\.do(?:Generate|Stream|Embed)/, 'model'],
  [/^ai\./, 'agent'],
];

/** Returns the kind for a value of `openinference.span.kind` or a similar attribute. */
export function kindNamed(word: unknown): SpanKind | undefined {
  return KINDS[(nonEmptyText(word) ?? '').toLowerCase()];
}

export function kindOf(attributes: Row): SpanKind | undefined {
  const operation = nonEmptyText(attributes['gen_ai.operation.name']);
  const known = operation === undefined ? undefined : OPERATIONS[operation];
  if (known) return known;
  for (const name of KIND_NAMES) {
    const kind = kindNamed(attributes[name]);
    if (kind) return kind;
  }
  const aiSdk = nonEmptyText(attributes['ai.operationId']);
  if (aiSdk !== undefined) return AI_SDK.find(([pattern]) => pattern.test(aiSdk))?.[1];
  if (first(attributes, TOOL_NAMES) !== undefined) return 'tool';
  if (first(attributes, MODEL_NAMES) !== undefined) return 'model';
  return operation === undefined ? undefined : 'step';
}

const KIND_NAMES = [
  'openinference.span.kind',
  'traceloop.span.kind',
  'llm.request.type',
  'langsmith.span.kind',
  'langfuse.observation.type',
  'mlflow.spanType',
];
/** Attribute names, the newest of each first. */
const TOOL_NAMES = ['gen_ai.tool.name', 'tool.name', 'ai.toolCall.name', 'mcp.tool.name'];
const MODEL_NAMES = [
  'gen_ai.response.model',
  'gen_ai.request.model',
  'llm.model_name',
  'ai.model.id',
  'llm.request.model',
];
const SESSION_NAMES = [
  'gen_ai.conversation.id',
  'session.id',
  'langfuse.session.id',
  'traceloop.association.properties.session_id',
  'ai.telemetry.metadata.sessionId',
];
const AGENT_NAMES = ['gen_ai.agent.name', 'agent.name', 'graph.node.id', 'ai.telemetry.functionId'];
const INPUT_TOKENS = [
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.prompt_tokens',
  'llm.token_count.prompt',
  'ai.usage.inputTokens',
  'ai.usage.promptTokens',
];
const OUTPUT_TOKENS = [
  'gen_ai.usage.output_tokens',
  'gen_ai.usage.completion_tokens',
  'llm.token_count.completion',
  'ai.usage.outputTokens',
  'ai.usage.completionTokens',
];
const CACHED_TOKENS = [
  'gen_ai.usage.cache_read.input_tokens',
  'gen_ai.usage.cache_read_input_tokens',
  'llm.token_count.prompt_details.cache_read',
  'ai.usage.cachedInputTokens',
];
const COSTS = ['gen_ai.usage.cost', 'llm.cost.total', 'gen_ai.usage.total_cost'];

/**
 * Adds outcomes for spans that arrived together: calls of a model or a tool, runs of an agent, and steps with nothing
 * around them. Steps inside other spans are left out: they fail because of a span inside them, which is counted. A mere
 * carrier, such as a web server's request, does not count as a span around others. Otherwise everything an agent does
 * behind a server would have a parent. A parent that arrived at another time counts as a span around its child.
 */
export function addSpans(spans: readonly Span[], found: Pick<OutcomeCollector, 'add' | 'ignore'>): void {
  const around = new Surroundings(spans);
  for (const span of spans) {
    const kind = kindOfSpan(span);
    const parentId = around.of(span);
    if (kind === undefined) found.ignore('span of nothing an agent does');
    else if (kind === 'step' && parentId !== undefined) found.ignore('step around other steps');
    else {
      const { task, tool } = nameOf(span, kind);
      found.add(task, spanOutcomeId(span.traceId, span.spanId), { tool, ...factsOf({ ...span, parentId }, kind) });
    }
  }
}

/** Adds the outcome of a span that arrives alone; otherwise like `addSpans`. */
export function addSpan(span: Span, found: Pick<OutcomeCollector, 'add' | 'ignore'>): void {
  addSpans([span], found);
}

function kindOfSpan({ kind, attributes }: Span): SpanKind | undefined {
  return kind ?? kindOf(attributes);
}

/** Maximum nesting of a trace; also ends a cycle of parents. */
const MAX_DEPTH = 200;

/** Index to find the parent of a span: the nearest span around it that is an outcome itself. */
class Surroundings {
  readonly #spans: ReadonlyMap<string, Span>;

  constructor(spans: readonly Span[]) {
    this.#spans = new Map(spans.length > 1 ? spans.map((span) => [spanKey(span, span.spanId), span]) : []);
  }

  of(span: Span, depth = 0): string | undefined {
    const { parentId } = span;
    if (parentId === undefined || depth > MAX_DEPTH) return parentId;
    const parent = this.#spans.get(spanKey(span, parentId));
    if (parent === undefined || parent === span) return parentId;
    const kind = kindOfSpan(parent);
    const further = this.of(parent, depth + 1);
    const isOutcome = kind !== undefined && (kind !== 'step' || further === undefined);
    return isOutcome ? parentId : further;
  }
}

function spanKey({ traceId = '' }: Span, spanId: string): string {
  return `${traceId} ${spanId}`;
}

function factsOf(span: Span, kind: SpanKind): Facts {
  const { attributes, traceId, parentId } = span;
  const errorType = nonEmptyText(attributes['error.type']);
  const success = !span.failed && errorType === undefined;
  return {
    success,
    atMs: span.endMs ?? span.startMs,
    durationMs: between(span.startMs, span.endMs),
    parent: parentId === undefined ? undefined : spanOutcomeId(traceId, parentId),
    session: idOf(first(attributes, SESSION_NAMES)) ?? traceId,
    agent: agentOf(span, kind),
    model: kind === 'tool' ? undefined : nonEmptyText(first(attributes, MODEL_NAMES)),
    tokens: kind === 'model' ? tokensOf(attributes) : undefined,
    costUsd: kind === 'model' ? costOf(attributes) : undefined,
    error: success ? undefined : errorOf(span, errorType),
    ...span.deployment,
  };
}

/** Attributes of a resource, the preferred ones first. */
const DEPLOYMENT_NAMES: Readonly<Record<keyof Deployment, readonly string[]>> = {
  service: ['service.name'],
  version: ['service.version'],
  region: ['cloud.region'],
  host: ['host.name', 'k8s.pod.name'],
};

/** Returns the release that a resource describes, and its place. SDKs write `unknown_service` if nothing is configured. */
export function deploymentOf(resource: Row): Deployment {
  const found = Object.entries(DEPLOYMENT_NAMES).flatMap(([key, names]) => {
    const name = nonEmptyText(first(resource, names));
    return name === undefined || /^unknown_service(?::|$)/.test(name) ? [] : [[key, name]];
  });
  return Object.fromEntries(found);
}

/** Returns the outcome id of a span. It is known before the span is read, because children often arrive first. */
export function spanOutcomeId(traceId: string | undefined, spanId: string): string {
  return traceId === undefined ? spanId : `${traceId}-${spanId}`;
}

function nameOf({ name, attributes }: Span, kind: SpanKind): { task: string; tool?: string } {
  const named = name === '' ? 'unnamed' : name;
  if (kind === 'model') return { task: MODEL_CALL };
  if (kind === 'agent') return { task: nonEmptyText(first(attributes, AGENT_NAMES)) ?? named };
  if (kind === 'step') return { task: named };
  const tool = nonEmptyText(first(attributes, TOOL_NAMES)) ?? named.replace(/^execute_tool /, '');
  return { task: tool, tool };
}

function agentOf({ attributes, deployment }: Span, kind: SpanKind): string | undefined {
  const named = nonEmptyText(first(attributes, AGENT_NAMES));
  return named ?? (kind === 'step' ? undefined : deployment?.service);
}

function tokensOf(attributes: Row): TokenUse | undefined {
  const input = numberOf(first(attributes, INPUT_TOKENS));
  const output = numberOf(first(attributes, OUTPUT_TOKENS));
  return input === undefined && output === undefined
    ? undefined
    : tokenUse(input ?? 0, output ?? 0, numberOf(first(attributes, CACHED_TOKENS)));
}

function costOf(attributes: Row): number | undefined {
  const whole = numberOf(first(attributes, COSTS));
  if (whole !== undefined) return whole;
  const input = numberOf(attributes['gen_ai.usage.input_cost']);
  const output = numberOf(attributes['gen_ai.usage.output_cost']);
  return input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0);
}

function errorOf({ message, attributes }: Span, errorType: string | undefined): object {
  const status = numberOf(first(attributes, ['http.response.status_code', 'http.status_code']));
  const name = nonEmptyText(attributes['exception.type']) ?? errorType;
  return {
    message: nonEmptyText(attributes['exception.message']) ?? message ?? errorType ?? 'failed without a message',
    ...(name !== undefined && { name }),
    ...(status !== undefined && status >= 400 && { status }),
  };
}

function first(attributes: Row, names: readonly string[]): unknown {
  for (const name of names) {
    const value = attributes[name];
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

/** Adds the attributes of an `exception` event to those of its span, which take precedence. */
export function withException(attributes: Row, events: readonly Row[]): Row {
  const exception = events.find(({ name }) => name === 'exception');
  return exception === undefined ? attributes : { ...rowOf(exception.attributes), ...attributes };
}

/** Returns the first member that is present, in any spelling: `trace_id`, `traceId`. */
export function memberOf(row: Row, ...names: readonly string[]): unknown {
  for (const name of names) if (row[name] !== undefined && row[name] !== null) return row[name];
  return undefined;
}
