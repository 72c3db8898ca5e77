import { type CallSpan, type OutcomeFields, type RSILoop, startCall } from 'rsi-loop';
import { type Answer, answerEnd, readAnswer, readUsage } from './answer.js';
import { OpenCalls, quietly } from './open-calls.js';
import { isRow, type Row, rowOf, text } from './read-fields.js';
import { failedWith, statedEnd } from './watch-call.js';

/** Options of the trace processor for the OpenAI Agents SDK. */
export interface AgentsProcessorOptions {
  /** Source named in the outcomes. Default `openai-agents`. */
  readonly source?: string;
  /** Default: the trace's group, if it has one. */
  readonly session?: string;
  /** Stores tool inputs and outputs in the outcome's context, redacted and shortened. Default false. */
  readonly content?: boolean;
}

/** The part of an OpenAI Agents span that is used here. */
interface AgentsSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly spanData: unknown;
  readonly error: { readonly message: string; readonly data?: Readonly<Record<string, unknown>> } | null;
}
interface AgentsTrace {
  readonly traceId: string;
  readonly groupId?: string | null;
}

/**
 * Creates a trace processor for OpenAI Agents: `addTraceProcessor(agentsProcessor(loop))`. An agent's run is a task of
 * the agent's name. Inside it each model call is a child `model_call`, and each tool and guardrail a child of its name.
 * Nothing is sent anywhere. The framework omits tool errors from its traces; wrap tools with `tools` to record them
 * too.
 */
export function agentsProcessor(loop: RSILoop, options: AgentsProcessorOptions = {}) {
  const { source = 'openai-agents', content = false } = options;
  const spans = new OpenCalls();
  const sessions = new Map<string, string>();
  const done = Promise.resolve();
  const start = (span: AgentsSpan): void => {
    const what = taskOf(rowOf(span.spanData));
    const session = options.session ?? sessions.get(span.traceId);
    const parent = spans.parentOf(span.parentId);
    const call = what && startCall(loop, { ...what, source, session, parent });
    spans.begin(span.spanId, call, span.parentId);
  };
  const end = (span: AgentsSpan): void => {
    const call = spans.end(span.spanId);
    const data = rowOf(span.spanData);
    call?.end({
      ...endOf(data, span.error, call),
      ...(content && { context: { input: data.input, output: data.output } }),
    });
  };
  return {
    onTraceStart(trace: AgentsTrace): Promise<void> {
      if (trace.groupId && sessions.size < MAX_TRACES) sessions.set(trace.traceId, trace.groupId);
      return done;
    },
    onTraceEnd(trace: AgentsTrace): Promise<void> {
      sessions.delete(trace.traceId);
      return done;
    },
    onSpanStart(span: AgentsSpan): Promise<void> {
      quietly(() => start(span));
      return done;
    },
    onSpanEnd(span: AgentsSpan): Promise<void> {
      quietly(() => end(span));
      return done;
    },
    shutdown: (): Promise<void> => done,
    forceFlush: (): Promise<void> => done,
  };
}

/** Limit of open traces whose session is stored. */
const MAX_TRACES = 10_000;

interface SpanTask {
  readonly task: string;
  readonly tool?: string;
  readonly agent?: string;
  readonly model?: string | undefined;
}

/** Returns the task of a span. Other spans (turns, handoffs, custom ones) only define nesting. */
function taskOf(data: Row): SpanTask | undefined {
  const name = text(data.name) ?? 'unnamed';
  switch (data.type) {
    case 'agent':
      return { task: name, agent: name };
    case 'function':
      return { task: name, tool: name };
    case 'guardrail':
      return { task: name };
    case 'generation':
    case 'response':
      return { task: 'model_call', model: text(data.model) };
    default:
      return undefined;
  }
}

function endOf(data: Row, error: AgentsSpan['error'], call: CallSpan): OutcomeFields {
  if (error) {
    const cause = error.data?.error;
    const thrown = typeof cause === 'string' || isRow(cause) ? cause : error.message;
    return data.type === 'function' ? failedWith(thrown) : { success: false, error: thrown };
  }
  if (data.type !== 'generation' && data.type !== 'response') return { success: true };
  // The answer itself, as the package's two models store it; absent if content tracing is off.
  const response = data._response ?? (Array.isArray(data.output) ? data.output[0] : undefined);
  const answer: Answer = {};
  readAnswer(response, answer);
  if (isRow(data.usage)) readUsage(data.usage, answer);
  const model = text(data.model) ?? answer.model;
  const stated = call.failureIn(response);
  const ended = stated ? { ...answerEnd(answer, NOT_EMPTY), ...statedEnd(stated) } : answerEnd(answer, NOT_EMPTY, call);
  return { ...ended, ...(model !== undefined && { model }) };
}

const NOT_EMPTY = { isEmpty: false } as const;
