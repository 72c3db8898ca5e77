import { LoopError, type ModelRequest, type TokenUse } from 'rsi-loop';
import type { AiSdkCallOptions } from './ai-sdk-shapes.js';
import { keysInEnvironment } from './providers.js';
import { countOf, member, nonEmptyText, tokensOf } from './read-values.js';
import { brokenOff, failedBefore, isUnsent, messageIn, refusal, sayWithout } from './server.js';

/** Answer of the SDK, whether it came whole or as a stream. */
export interface SdkReply {
  readonly text: string;
  readonly reason: string | undefined;
  readonly model: string | undefined;
  readonly tokens: TokenUse | undefined;
}

export function optionsOfSdk({ messages, schema, maxTokens, temperature }: ModelRequest): AiSdkCallOptions {
  return {
    prompt: messages.map(({ role, content }) =>
      role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] },
    ),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(schema && { responseFormat: { type: 'json', schema, name: 'answer' } }),
  };
}

/** @throws LoopError `model-down` for an answer that ended early. */
export function readGenerated(answer: unknown, name: string): SdkReply {
  const content = member(answer, 'content');
  const parts = Array.isArray(content) ? content : [];
  const joined = parts
    .map((part) => (member(part, 'type') === 'text' ? nonEmptyText(member(part, 'text')) : ''))
    .join('');
  return ended(name, {
    // Some providers draft before they answer.
    text: nonEmptyText(member(answer, 'structuredOutputText')) ?? joined,
    reason: reasonOfSdk(member(answer, 'finishReason')),
    model: nonEmptyText(member(member(answer, 'response'), 'modelId')),
    tokens: tokensOfSdk(member(answer, 'usage')),
  });
}

/** @throws LoopError `model-down` for a stream that ended early; the error of the stream. */
export async function readStream(
  name: string,
  { stream }: { readonly stream: ReadableStream<unknown> },
  onText: (piece: string) => void,
): Promise<SdkReply> {
  let text = '';
  let model: string | undefined;
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const part = next.value;
      switch (member(part, 'type')) {
        case 'text-delta': {
          const piece = nonEmptyText(member(part, 'delta')) ?? '';
          text += piece;
          if (piece !== '') onText(piece);
          break;
        }
        case 'response-metadata':
          model = nonEmptyText(member(part, 'modelId')) ?? model;
          break;
        case 'error':
          throw new StreamError('error in the stream', { cause: member(part, 'error') });
        case 'finish': {
          const tokens = tokensOfSdk(member(part, 'usage'));
          return ended(name, { text, reason: reasonOfSdk(member(part, 'finishReason')), model, tokens });
        }
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
  throw brokenOff(name, text);
}

/** Error in the middle of an answer, whose tokens are spent. */
class StreamError extends Error {}

/** Maps an error of the SDK or its provider, without keys. */
export function errorOfSdk(name: string, error: unknown): LoopError {
  if (LoopError.is(error)) return error;
  const isInAnswer = error instanceof StreamError;
  const found: unknown = isInAnswer ? error.cause : error;
  const say = (text: string) => sayWithout(keysInEnvironment(), text);
  const status = countOf(member(found, 'statusCode'));
  const message = found instanceof Error ? found.message : String(found);
  if (status !== undefined) {
    const headers = (member(found, 'responseHeaders') ?? {}) as Record<string, string>; // as the SDK declares it
    const body = nonEmptyText(member(found, 'responseBody'));
    const said = say(body === undefined ? message : messageIn(body));
    return refusal(name, status, said, isInAnswer ? undefined : failedBefore(status, headers));
  }
  const kind = found instanceof Error ? found.name : '';
  if (kind === 'AI_LoadAPIKeyError') return new LoopError('invalid-input', `${name}: ${say(message)}`);
  // Its other errors are about the answer: not JSON, not of the expected shape, no content.
  if (kind.startsWith('AI_') && kind !== 'AI_APICallError' && kind !== 'AI_RetryError') {
    return new LoopError('model-answer', `${name}: ${say(message)}`);
  }
  const cause = { isUnsent: !isInAnswer && isUnsent(found) };
  return new LoopError('model-down', `${name} cannot be reached: ${say(message)}`, { cause });
}

function ended(name: string, reply: SdkReply): SdkReply {
  if (reply.reason === 'interrupted' || reply.reason === 'error') throw brokenOff(name, reply.text);
  return reply;
}

/** Version 2 of the interface has a text, later ones an object. */
function reasonOfSdk(value: unknown): string | undefined {
  return nonEmptyText(value) ?? nonEmptyText(member(value, 'unified'));
}

/** Reads version 2 (numbers) and later ones (objects). Some providers count reasoning only in the total. */
function tokensOfSdk(usage: unknown): TokenUse | undefined {
  const [input, output] = (['inputTokens', 'outputTokens'] as const).map((name) => {
    const value = member(usage, name);
    return countOf(value) ?? countOf(member(value, 'total'));
  });
  const total = countOf(member(usage, 'totalTokens')) ?? 0;
  if (input === undefined || output === undefined) return undefined;
  return tokensOf(input, Math.max(output, total - input)).tokens;
}
