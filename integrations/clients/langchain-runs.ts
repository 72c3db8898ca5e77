import type { OutcomeFields } from 'rsi-loop';
import { type Answer, type AnswerCheck, answerEnd, readUsage } from './answer.js';
import { isRow, type Row, rowOf, text } from './read-fields.js';

/**
 * Key under which our handler shares data with our middleware. One may come from the ESM build, the other from
 * CommonJS.
 */
export const LISTENING = Symbol.for('rsi-loop.langchain');

export interface Listening {
  /** Calls that middleware records, with their tasks. LangChain runs directly inside them are the same calls. */
  readonly taken: Map<string, string>;
  /** Returns the id of the task that a LangChain run belongs to. */
  readonly taskOf: (runId: string) => string | undefined;
}

/** Keys under which LangChain stores the current run, as `getConfig` of LangGraph reads it. */
const CONTEXT = Symbol.for('ls:tracing_async_local_storage');
const CONFIG = Symbol.for('lc:child_config');

/** Returns our handler that observes the current run, and the task that run belongs to. */
export function listeningHere(): { readonly taken: Listening['taken']; readonly task: string | undefined } | undefined {
  const storage: unknown = Reflect.get(globalThis, CONTEXT);
  if (!isRow(storage) || typeof storage.getStore !== 'function') return undefined;
  const store: unknown = storage.getStore();
  const extra = isRow(store) && isRow(store.extra) ? store.extra : undefined;
  const config: unknown = extra && Reflect.get(extra, CONFIG);
  const callbacks = isRow(config) && isRow(config.callbacks) ? config.callbacks : undefined;
  const runId = typeof callbacks?.getParentRunId === 'function' ? text(callbacks.getParentRunId()) : undefined;
  if (runId === undefined || !Array.isArray(callbacks?.handlers)) return undefined;
  for (const handler of callbacks.handlers) {
    if (typeof handler !== 'object' || handler === null || !(LISTENING in handler)) continue;
    const { taken, taskOf } = Reflect.get(handler, LISTENING) as Listening; // only this package uses the symbol
    return { taken, task: taskOf(runId) };
  }
  return undefined;
}

/** Returns whether an error is an interrupt or a command of LangGraph: these are thrown, but are not errors. */
export function isInterrupt(error: unknown): boolean {
  return isRow(error) && (error.is_bubble_up === true || error.lg_is_bubble_up === true);
}

/** Returns how a model call ended, from its message. */
export function messageEnd(message: unknown, check: AnswerCheck, otherUsage?: Row): OutcomeFields {
  if (!isRow(message)) return { success: true };
  const { usage_metadata: usage, response_metadata: metadata, content, tool_calls: calls } = message;
  const answer: Answer = {};
  if (isRow(usage)) readUsage(usage, answer);
  else if (otherUsage) {
    readUsage({ prompt_tokens: otherUsage.promptTokens, completion_tokens: otherUsage.completionTokens }, answer);
  }
  const { finish_reason: openAi, stop_reason: anthropic, finishReason: gemini } = rowOf(metadata);
  const finish = text(openAi) ?? text(anthropic) ?? text(gemini);
  const hasNoText = typeof content === 'string' && !/\S/.test(content);
  const isEmpty = hasNoText && !(Array.isArray(calls) && calls.length > 0) && !check.accepts('empty');
  return answerEnd({ ...answer, ...(finish !== undefined && { finish }) }, { isEmpty }, check);
}
