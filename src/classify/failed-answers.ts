import type { ErrorCategory } from '../contract/issue.js';
import { isObject } from '../lib/is-object.js';
import { isBlank, isEmptyCompletion } from './completion.js';

/** Kind of an answer that is a failure although it was returned as a value. */
export type FailedAnswer = keyof typeof ROWS;

/** Failure that an answer states. */
export interface StatedFailure {
  readonly kind: FailedAnswer;
  /** Text or object that states it, for the classifier. */
  readonly error: unknown;
  /** Category if the error has no known class. */
  readonly category: ErrorCategory;
}

/** Reads answers with the kinds that a host accepts. */
export interface AnswerCheck {
  /** Returns whether the host turned this kind off. */
  accepts(kind: FailedAnswer): boolean;
  /** Returns the failure that an answer states, unless its kind is turned off. Never throws. */
  failureIn(answer: unknown): StatedFailure | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

interface Row {
  /** Returns what states the failure; `undefined` if the answer does not. */
  readonly find: (answer: Fields) => unknown;
  readonly category: ErrorCategory;
}

const EMPTY = 'the answer is empty';
const FAILED = 'the answer says that it failed';

/**
 * Answers that are failures, by kind, for `run`, captures and hooks. `acceptedAnswers` of a loop turns each one off. `isEmpty`
 * of a call replaces `empty`.
 */
const ROWS = {
  /** OpenAI chat, Anthropic, Gemini, Ollama: neither text nor a tool call. For `run` also a text of white space. */
  empty: { find: (answer) => (isEmptyCompletion(answer) ? EMPTY : undefined), category: 'empty_response' },
  /** AI SDK: no text, no tool call. */
  'empty-ai-sdk': { find: (answer) => (isEmptyAiSdk(answer) ? EMPTY : undefined), category: 'empty_response' },
  /** OpenAI Responses: nothing was put out. */
  'empty-responses': { find: (answer) => (isEmptyResponses(answer) ? EMPTY : undefined), category: 'empty_response' },
  /** A model declines: OpenAI chat and Responses, Anthropic. */
  refusal: { find: refusalOf, category: 'content_filter' },
  /** MCP: the tool failed. */
  'mcp-error': { find: mcpErrorOf, category: 'tool_failure' },
  /** LangChain's tool messages, and services: `{ status: 'error', content or message }`. */
  'status-error': { find: statusErrorOf, category: 'tool_failure' },
  /** GraphQL: errors without or beside data. */
  'graphql-errors': { find: graphqlErrorOf, category: 'unknown' },
  /** Body of an error: `{ error: { code, message } }`. */
  'error-body': { find: errorBodyOf, category: 'unknown' },
  /** Slack and others: `{ ok: false, error }`. */
  'not-ok': { find: ({ ok, error }) => (ok === false ? (error ?? 'ok is false') : undefined), category: 'unknown' },
} as const satisfies Readonly<Record<string, Row>>;

/** Kinds of failed answers. */
export const FAILED_ANSWERS = Object.keys(ROWS) as readonly FailedAnswer[]; // the keys of the table

/**
 * Returns the failure that an answer states. Reads plain data only: a stream may begin to flow when its fields are read.
 * Never throws.
 */
export function findFailedAnswer(value: unknown, accepted: readonly string[] = []): StatedFailure | undefined {
  try {
    if (!isObject(value) || isLive(value)) return undefined;
    for (const kind of FAILED_ANSWERS) {
      const { find, category } = ROWS[kind];
      const error = accepted.includes(kind) ? undefined : find(value);
      if (error !== undefined) return { kind, error, category };
    }
  } catch {
    // A getter of the host threw: not an answer of a known shape.
  }
  return undefined;
}

function isLive(value: object): boolean {
  return 'textStream' in value || 'fullStream' in value || Symbol.asyncIterator in value || 'getReader' in value;
}

function isEmptyAiSdk({ text, finishReason, toolCalls }: Fields): boolean {
  const hasNoText = typeof text === 'string' && isBlank(text);
  return hasNoText && typeof finishReason === 'string' && (!Array.isArray(toolCalls) || toolCalls.length === 0);
}

function isEmptyResponses({ object, output, status }: Fields): boolean {
  return object === 'response' && status !== 'queued' && status !== 'in_progress' && isEmptyList(output);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function refusalOf({ choices, output, stop_reason }: Fields): unknown {
  if (stop_reason === 'refusal') return 'the model refused';
  const said = itemsOf(choices).map(({ message, delta }) => message ?? delta);
  const messages = [...said, ...itemsOf(output).flatMap(contentOf)];
  for (const message of messages) {
    if (isObject(message) && typeof message.refusal === 'string' && message.refusal !== '') return message.refusal;
  }
  return undefined;
}

function contentOf({ content }: Fields): readonly Fields[] {
  return itemsOf(content);
}

function mcpErrorOf({ isError, content }: Fields): unknown {
  if (isError !== true) return undefined;
  const texts = itemsOf(content).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return texts.length > 0 ? texts.join('\n') : FAILED;
}

function statusErrorOf({ status, content, message, error }: Fields): unknown {
  if (status !== 'error') return undefined;
  const texts = itemsOf(content).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const said = [content, texts.join('\n'), message, error].find((one) => typeof one === 'string' && one !== '');
  return said ?? (content === undefined && message === undefined && error === undefined ? undefined : FAILED);
}

function graphqlErrorOf({ errors }: Fields): unknown {
  return itemsOf(errors).find(({ message }) => typeof message === 'string');
}

function errorBodyOf({ error }: Fields): unknown {
  if (!isObject(error)) return undefined;
  return 'message' in error || 'code' in error || 'type' in error ? error : undefined;
}

function itemsOf(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.slice(0, MAX_ITEMS).filter(isObject) : [];
}

const MAX_ITEMS = 20;
