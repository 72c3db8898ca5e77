import type { Issue } from '../records.js';
import type { Report } from './problem.js';
import { guarded } from './problem.js';

/** What is wrong with an answer that came back without an error. */
export interface Flaw {
  readonly issue: Issue;
  readonly message: string;
}

export interface Checks<Value> {
  readonly accept?: ((value: Value) => boolean | string) | undefined;
  readonly isEmpty?: ((value: Value) => boolean) | undefined;
}

/** Looks at an answer as the host would: is there one, and is it good enough. A check that throws counts as passed. */
export function findFlaw<Value>(value: Value, checks: Checks<Value>, report: Report): Flaw | undefined {
  const isEmpty = checks.isEmpty ?? isEmptyAnswer;
  if (guarded(report, 'run.isEmpty', false, () => isEmpty(value))) {
    return { issue: 'empty_response', message: 'the answer is empty' };
  }
  const { accept } = checks;
  if (accept === undefined) return undefined;
  const verdict = guarded(report, 'run.accept', true, () => accept(value));
  if (verdict === true) return undefined;
  return { issue: 'wrong_output', message: typeof verdict === 'string' ? verdict : 'the answer was not accepted' };
}

/**
 * The default test: a text of white space only, or a chat answer (as OpenAI, Anthropic and Ollama shape it) that
 * holds neither text nor a tool call. `undefined` and `null` are no answers but results of tasks that give none.
 */
export function isEmptyAnswer(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object' || value === null) return false;
  const answer = value as Record<string, unknown>; // an object; each field is looked at before it is used
  if (Array.isArray(answer.choices)) {
    return answer.choices.every((choice: unknown) => isRecord(choice) && isEmptyMessage(choice.message));
  }
  if (answer.type === 'message' || isRecord(answer.message)) {
    return isEmptyMessage(answer.type === 'message' ? answer : answer.message);
  }
  return false;
}

function isEmptyMessage(message: unknown): boolean {
  if (!isRecord(message) || !('content' in message)) return false;
  const { content } = message;
  if (Array.isArray(message.tool_calls) && message.tool_calls.length > 0) return false;
  if (content === null || content === undefined) return !message.refusal && !message.function_call && !message.audio;
  if (typeof content === 'string') return content.trim() === '' && !message.refusal && !message.function_call;
  if (!Array.isArray(content)) return false;
  return content.every(
    (part: unknown) =>
      isRecord(part) && part.type === 'text' && typeof part.text === 'string' && part.text.trim() === '',
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
