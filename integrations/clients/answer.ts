import type { CallSpan, Issue, OutcomeFields, TokenUse } from 'rsi-loop';
import { count, isRow, type Row, rowOf, rows, text } from './read-fields.js';

/** Facts about an answer so far; the parts of a stream add to it. */
export interface Answer {
  model?: string;
  /** The provider's own word. */
  finish?: string;
  inputTokens?: number;
  /** Input tokens read from a cache. */
  cachedInputTokens?: number;
  outputTokens?: number;
  /** The provider's error, possibly from the middle of a stream. */
  error?: unknown;
  /** True once the provider has marked the answer as complete. */
  isFinished?: boolean;
  /** Its text, if content is recorded. */
  text?: string;
}

/** Longest text kept if content is recorded; `record()` shortens it further. */
const MAX_TEXT = 4_000;

/**
 * Adds the content of one JSON document of a provider: a whole answer, or one part of a stream. Reads the shapes of
 * OpenAI (chat, responses, completions), Anthropic, Gemini and Ollama. Never throws.
 */
export function readAnswer(value: unknown, answer: Answer): void {
  if (Array.isArray(value)) for (const item of value.slice(0, 1_000)) readAnswer(item, answer);
  else if (isRow(value)) readFacts(value, answer);
}

function readFacts(value: Row, answer: Answer): void {
  // The outer document of OpenAI's and Anthropic's events holds the answer so far.
  readAnswer(value.response, answer);
  if (value.type === 'message_start') readAnswer(value.message, answer);
  const model = text(value.model) ?? text(value.modelVersion);
  if (model !== undefined) answer.model = model;
  readUsage([value.usage, value.usageMetadata].find(isRow) ?? value, answer);
  const finish = findFinish(value);
  if (finish !== undefined) answer.finish = finish;
  if (finish !== undefined || isLast(value)) answer.isFinished = true;
  const error = value.type === 'error' ? (value.error ?? value) : value.error;
  if (isRow(error) || text(error) !== undefined) answer.error ??= error;
}

function findFinish(value: Row): string | undefined {
  return (
    firstIn(value.choices, 'finish_reason') ??
    text(rowOf(value.delta).stop_reason) ??
    text(value.stop_reason) ??
    firstIn(value.candidates, 'finishReason') ??
    text(value.done_reason) ??
    text(rowOf(value.incomplete_details).reason) ??
    text(rowOf(value.promptFeedback).blockReason)
  );
}

function isLast({ type, done, status, object }: Row): boolean {
  if (done === true || type === 'message_stop' || type === 'error') return true;
  return object === 'response' && (status === 'completed' || status === 'incomplete' || status === 'failed');
}

/**
 * Reads token counts. Later counts replace earlier ones, because providers send running totals. Input includes tokens
 * read from or written to a cache.
 */
export function readUsage(usage: Row, answer: Answer): void {
  const input = count(usage.prompt_tokens) ?? count(usage.promptTokenCount) ?? count(usage.prompt_eval_count);
  const anthropic = count(usage.input_tokens);
  const read = count(usage.cache_read_input_tokens);
  const cached = (read ?? 0) + (count(usage.cache_creation_input_tokens) ?? 0);
  const details = usage.prompt_tokens_details ?? usage.input_tokens_details;
  const cachedInput = read ?? count(isRow(details) ? details.cached_tokens : usage.cachedContentTokenCount);
  if (cachedInput !== undefined) answer.cachedInputTokens = cachedInput;
  if (input !== undefined) answer.inputTokens = input;
  else if (anthropic !== undefined && anthropic + cached >= (answer.inputTokens ?? 0)) {
    answer.inputTokens = anthropic + cached;
  }
  const output =
    count(usage.completion_tokens) ??
    count(usage.output_tokens) ??
    count(usage.candidatesTokenCount) ??
    count(usage.eval_count);
  if (output !== undefined) answer.outputTokens = output + (count(usage.thoughtsTokenCount) ?? 0);
}

/** Adds the text of one document, for hosts that record content. */
export function readText(value: unknown, answer: Answer): void {
  if (Array.isArray(value)) for (const item of value.slice(0, 1_000)) readText(item, answer);
  else if (isRow(value)) readDocument(value, answer);
}

function readDocument(value: Row, answer: Answer): void {
  const { delta, response, candidates, choices, output, message } = value;
  if (value.type === 'response.output_text.delta') {
    addText(delta, answer);
    return;
  }
  if (value.object !== 'response' && isRow(response)) return;
  addText(response, answer);
  addText(rowOf(delta).text, answer);
  addContent(value, answer);
  addContent(message, answer);
  for (const item of rows(output)) addContent(item, answer);
  for (const choice of rows(choices)) {
    addText(choice.text, answer);
    addContent(choice.message ?? choice.delta, answer);
  }
  for (const { content } of rows(candidates)) {
    for (const part of rows(rowOf(content).parts)) addText(part.text, answer);
  }
}

function addContent(message: unknown, answer: Answer): void {
  if (!isRow(message)) return;
  addText(message.content, answer);
  for (const part of rows(message.content)) addText(part.text, answer);
}

function addText(more: unknown, answer: Answer): void {
  if (typeof more !== 'string' || (answer.text?.length ?? 0) > MAX_TEXT) return;
  answer.text = (answer.text ?? '') + more.slice(0, MAX_TEXT);
}

export function tokensOf({ inputTokens, outputTokens, cachedInputTokens = 0 }: Answer): TokenUse | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const [input, output] = [inputTokens ?? 0, outputTokens ?? 0];
  return cachedInputTokens > 0 ? { input, output, cachedInput: Math.min(cachedInputTokens, input) } : { input, output };
}

/** Matches providers' words for an answer cut off at a limit, in lower case without `-`, `_` and spaces. */
const CUT_OFF = /^(?:length|maxtokens|maxoutputtokens|modelcontextwindowexceeded)$/;
const WITHHELD = /^(?:contentfilter|refusal|safety|recitation|blocklist|prohibitedcontent|spii|imagesafety)$/;
const MALFORMED = /^(?:malformedfunctioncall|malformedtoolcall)$/;

/** Maps a finish reason to an outcome: withheld or malformed is a failure, cut off is a success with an issue. */
function judgeFinish(
  finish: string | undefined,
  check: AnswerCheck | undefined,
): Pick<OutcomeFields, 'success' | 'error' | 'issues'> {
  const name = (finish ?? '').toLowerCase().replace(/[-_ ]/g, '');
  const failed = (issue: Issue, what: string) => ({ success: false, error: `${what}: ${finish}`, issues: [issue] });
  if (CUT_OFF.test(name)) return { success: true, issues: ['incomplete_task'] };
  if (name === 'refusal' && check?.accepts('refusal')) return { success: true };
  if (WITHHELD.test(name)) return failed('content_filter', 'the answer was withheld');
  if (MALFORMED.test(name)) return failed('parse_error', 'the answer is malformed');
  return { success: true };
}

/** End of an answer without text or tool calls. */
const EMPTY: OutcomeFields = { success: false, error: 'the answer is empty', issues: ['empty_response'] };
/** End of a stream that stops in the middle of an answer. */
export const TRUNCATED: OutcomeFields = {
  success: false,
  error: 'premature close: the stream ended before the answer was complete',
};

/** The part of a call that knows which answers the loop accepts. */
export type AnswerCheck = Pick<CallSpan, 'accepts'>;

/** Returns how a model call ended, from its answer. `isEmpty` holds only for an empty answer that the loop does not accept. */
export function answerEnd(
  answer: Answer,
  { isEmpty }: { readonly isEmpty: boolean },
  check?: AnswerCheck,
): OutcomeFields {
  const tokens = tokensOf(answer);
  const judged = judgeFinish(answer.finish, check);
  const isSilent = isEmpty && judged.success && judged.issues === undefined;
  return { ...(isSilent ? EMPTY : judged), ...(tokens && { tokens }) };
}

function firstIn(list: unknown, key: string): string | undefined {
  for (const row of rows(list)) {
    const found = text(row[key]);
    if (found !== undefined) return found;
  }
  return undefined;
}
