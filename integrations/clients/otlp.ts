import { exportOutcomes, LoopError, type Outcome, type RSILoop, redact } from 'rsi-loop';
import { isObject, mustBe, showValue } from 'rsi-loop/kit';

/** Options of spans made from outcomes. */
export interface OtlpOptions {
  /** `service.name` of the resource. Default `rsi-loop`. */
  readonly service?: string;
}

/** Options of `sendOtlp`. */
export interface SendOtlpOptions extends OtlpOptions {
  /** Address at which a collector accepts traces, e.g. `http://localhost:4318/v1/traces`. */
  readonly url: string | URL;
  /** Extra request headers, e.g. `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Excludes outcomes that ended before this time, epoch milliseconds. */
  readonly sinceMs?: number;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch;
  readonly signal?: AbortSignal;
}

/** Body of an OTLP/JSON request. */
export interface OtlpTraces {
  readonly resourceSpans: readonly object[];
}

/** Spans per request. */
const LOT = 1_000;

/**
 * Sends every outcome in the loop's store to a collector, as spans (OTLP/JSON). An outcome that is sent again gets the
 * same ids. Returns the number of spans sent.
 * @throws LoopError `invalid-input` if the collector rejects them; requests sent before are not undone.
 */
export async function sendOtlp(loop: RSILoop, options: SendOtlpOptions): Promise<number> {
  const { sinceMs = Number.NEGATIVE_INFINITY } = options;
  const parents = new Map<string, string>();
  for await (const { id, parent } of exportOutcomes(loop)) if (parent !== undefined) parents.set(id, parent);
  let lot: Outcome[] = [];
  let sent = 0;
  const send = async () => {
    await post(toRequest(lot, parents, options), options);
    sent += lot.length;
    lot = [];
  };
  for await (const outcome of exportOutcomes(loop, { sinceMs })) {
    if (lot.push(outcome) === LOT) await send();
  }
  if (lot.length > 0) await send();
  return sent;
}

/** Converts outcomes to one OTLP/JSON request, for collectors that you call with your own client. */
export function toOtlp(outcomes: readonly Outcome[], options: OtlpOptions = {}): OtlpTraces {
  const areOutcomes = Array.isArray(outcomes) && outcomes.every(isObject);
  mustBe(areOutcomes, 'outcomes', showValue(outcomes), 'a list of outcomes');
  const parents = new Map(outcomes.flatMap(({ id, parent }) => (parent === undefined ? [] : [[id as string, parent]])));
  return toRequest(outcomes, parents, options);
}

function toRequest(
  outcomes: readonly Outcome[],
  parents: ReadonlyMap<string, string>,
  { service = 'rsi-loop' }: OtlpOptions,
): OtlpTraces {
  const spans = outcomes.map((outcome) => toSpan(outcome, parents));
  const resource = { attributes: attributesOf({ 'service.name': service }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'rsi-loop' }, spans }] }] };
}

async function post(
  body: OtlpTraces,
  { url, headers, fetch = globalThis.fetch, signal }: SendOtlpOptions,
): Promise<void> {
  const response = await fetch(String(url), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  const said = redact((await response.text()).slice(0, 200));
  if (response.ok) return;
  const host = new URL(url).host;
  throw new LoopError('invalid-input', `${host} answered ${response.status} ${said}: it takes no OTLP/JSON there`);
}

/** Deeper than tasks are nested; also ends a cycle of parents. */
const MAX_DEPTH = 32;

function toSpan(outcome: Outcome, parents: ReadonlyMap<string, string>): object {
  const { id, parent, atMs, durationMs = 0, error, success, issues } = outcome;
  let root: string = id;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const above = parents.get(root);
    if (above === undefined) break;
    root = above;
  }
  return {
    traceId: hashOf(root, 4),
    spanId: hashOf(id, 2),
    ...(parent !== undefined && { parentSpanId: hashOf(parent, 2) }),
    name: outcome.task,
    kind: outcome.task === 'model_call' ? 3 : 1,
    startTimeUnixNano: nanosecondsOf(atMs - durationMs),
    endTimeUnixNano: nanosecondsOf(atMs),
    attributes: attributesOf({
      'gen_ai.operation.name': operationOf(outcome),
      'gen_ai.request.model': outcome.model,
      'gen_ai.tool.name': outcome.tool,
      'gen_ai.agent.name': outcome.agent,
      'gen_ai.conversation.id': outcome.session,
      'gen_ai.usage.input_tokens': outcome.tokens?.input,
      'gen_ai.usage.output_tokens': outcome.tokens?.output,
      'gen_ai.usage.cost': outcome.costUsd,
      'error.type': success ? undefined : (error?.name ?? issues[0]),
      'http.response.status_code': error?.status,
      'rsi.outcome.id': id,
      'rsi.outcome.issues': issues.length > 0 ? issues.join(',') : undefined,
      'rsi.outcome.source': outcome.source,
      'rsi.outcome.quality': outcome.quality,
    }),
    status: success ? { code: 1 } : { code: 2, message: error?.message ?? issues.join(', ') },
  };
}

function operationOf({ task, tool }: Outcome): string {
  if (task === 'model_call') return 'chat';
  if (task === 'embedding_call') return 'embeddings';
  return tool === undefined ? 'invoke_agent' : 'execute_tool';
}

function attributesOf(values: Readonly<Record<string, string | number | undefined>>): object[] {
  return Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: typed(value) }]));
}

function typed(value: string | number): object {
  if (typeof value === 'string') return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Formats nanoseconds. Whole milliseconds and the rest are kept apart: a product would lose digits beyond 2^53. */
function nanosecondsOf(ms: number): string {
  const whole = Math.floor(ms);
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, '0')}`;
}

/**
 * Hashes a text to `words` times 32 bits in hexadecimal (FNV-1a with different seeds, mixed). For ids, not for secrets.
 */
function hashOf(text: string, words: number): string {
  let hash = '';
  for (let word = 0; word < words; word++) {
    let bits = 0x811c9dc5 ^ Math.imul(word + 1, 0x9e3779b1);
    for (let index = 0; index < text.length; index++) bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193);
    bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
    bits ^= bits >>> 13;
    hash += (bits >>> 0).toString(16).padStart(8, '0');
  }
  return hash;
}
