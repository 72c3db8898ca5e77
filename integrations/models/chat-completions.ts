import { LoopError, type ModelRequest, type TokenUse } from 'rsi-loop';
import type { ModelCall } from 'rsi-loop/kit';
import { member, nonEmptyText, tokensOf } from './read-values.js';
import { brokenOff, type ModelServer, type ServerAnswer } from './server.js';

/** Answer in the OpenAI protocol, whether it came whole or as a stream. */
export interface ChatReply {
  readonly text: string;
  readonly ended: 'stop' | 'length';
  readonly model: string | undefined;
  readonly tokens: TokenUse | undefined;
}

/** Returns the body of a chat completion. Newer models of OpenAI name the limit differently and take no temperature. */
export function chatBody(
  model: string,
  { messages, schema, maxTokens, temperature }: ModelRequest,
  stream: boolean,
  { isNewest = false }: { readonly isNewest?: boolean } = {},
): object {
  return {
    model,
    messages,
    [isNewest ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
    ...(temperature !== undefined && !isNewest && { temperature }),
    ...(schema && {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
    }),
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
  };
}

/** Returns the reader of an answer. A server that cannot stream answers in one piece, even if a stream was requested. */
export function readChat(server: ModelServer, name: string, onText: ModelCall['onText']) {
  return async (answer: ServerAnswer): Promise<ChatReply> => {
    const isStream = answer.contentType.includes('text/event-stream');
    const { text, reason, model, usage } = isStream
      ? await follow(server, name, answer, onText)
      : await readWhole(server, name, answer, onText);
    if (reason === 'content_filter') {
      throw new LoopError('model-refused', `${name}: a content filter withdrew the answer`);
    }
    const { tokens } = tokensOf(member(usage, 'prompt_tokens'), member(usage, 'completion_tokens'));
    return { text, ended: reason === 'length' ? 'length' : 'stop', model, tokens };
  };
}

/** Returns the vectors of an answer in the order of their texts. */
export function vectorsIn(said: unknown): readonly unknown[] {
  const data = member(said, 'data');
  if (!Array.isArray(data)) return [];
  const byIndex = [...data].sort((a, b) => Number(member(a, 'index')) - Number(member(b, 'index')));
  return byIndex.map((item) => member(item, 'embedding'));
}

interface Told extends Pick<ChatReply, 'text' | 'model'> {
  readonly reason: string | undefined;
  readonly usage: unknown;
}

async function readWhole(
  server: ModelServer,
  name: string,
  answer: ServerAnswer,
  onText: ModelCall['onText'],
): Promise<Told> {
  const said = server.parse(name, await answer.text());
  mustBeNoError(server, name, said);
  const choice = firstOf(member(said, 'choices'));
  const text = nonEmptyText(member(member(choice, 'message'), 'content')) ?? '';
  if (text !== '') onText?.(text);
  return {
    text,
    reason: nonEmptyText(member(choice, 'finish_reason')),
    model: nonEmptyText(member(said, 'model')),
    usage: member(said, 'usage'),
  };
}

async function follow(
  server: ModelServer,
  name: string,
  answer: ServerAnswer,
  onText: ModelCall['onText'],
): Promise<Told> {
  let text = '';
  let [reason, model]: (string | undefined)[] = [];
  let usage: unknown;
  for await (const line of answer.lines()) {
    // Comments, event names and ids are for browsers.
    if (!line.startsWith('data:')) continue;
    const data = line.slice('data:'.length).trim();
    if (data === '[DONE]') break;
    const said = server.parse(name, data);
    mustBeNoError(server, name, said);
    const choice = firstOf(member(said, 'choices'));
    const piece = nonEmptyText(member(member(choice, 'delta'), 'content')) ?? '';
    text += piece;
    if (piece !== '') onText?.(piece);
    reason ??= nonEmptyText(member(choice, 'finish_reason'));
    model ??= nonEmptyText(member(said, 'model'));
    usage = member(said, 'usage') ?? usage;
  }
  if (reason !== undefined) return { text, reason, model, usage };
  throw brokenOff(name, text);
}

/**
 * Checks for errors, which may come with status 200, and after the answer has begun.
 * @throws LoopError `model-down` or `model-refused`, by the error's code.
 */
function mustBeNoError(server: ModelServer, name: string, said: unknown): void {
  const isError = member(said, 'error') || member(said, 'object') === 'error';
  if (!isError) return;
  const code = Number(member(member(said, 'error'), 'code') ?? member(said, 'code'));
  const status = code >= 400 && code < 600 ? code : 500;
  throw server.refusalIn(name, status, said);
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}
