/**
 * Returns whether a model's answer contains neither text nor a tool call. Reads the formats of OpenAI, Anthropic,
 * Gemini and Ollama.
 */
export function isEmptyCompletion(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if ('choices' in value && Array.isArray(value.choices)) {
    return value.choices.every((choice: unknown) => isRecord(choice) && isEmptyMessage(choice.message));
  }
  if ('candidates' in value && Array.isArray(value.candidates)) {
    return value.candidates.every((candidate: unknown) => isRecord(candidate) && isEmptyCandidate(candidate));
  }
  if ('type' in value && value.type === 'message') return isEmptyMessage(value);
  return 'message' in value && isEmptyMessage(value.message);
}

/** Fields of a chat message that hold an answer without text. */
const OTHER_ANSWERS = ['tool_calls', 'function_call', 'refusal', 'audio', 'images'] as const;

function isEmptyMessage(message: unknown): boolean {
  if (!isRecord(message) || !('content' in message)) return false;
  if (OTHER_ANSWERS.some((name) => hasContent(message[name]))) return false;
  const { content } = message;
  if (typeof content === 'string') return isBlank(content);
  return content === null || content === undefined || (Array.isArray(content) && content.every(isEmptyPart));
}

/** Returns whether a Gemini candidate is empty. A blocked answer is not: its finish reason says so. */
function isEmptyCandidate({ content, finishReason }: Record<string, unknown>): boolean {
  if (finishReason !== undefined && finishReason !== 'STOP') return false;
  if (!isRecord(content)) return content === undefined || content === null;
  const { parts } = content;
  return parts === undefined || (Array.isArray(parts) && parts.every(isEmptyPart));
}

function isEmptyPart(part: unknown): boolean {
  if (!isRecord(part) || (part.type !== undefined && part.type !== 'text')) return false;
  return typeof part.text === 'string' && isBlank(part.text);
}

function hasContent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** Returns whether a text has no visible character. Stops at the first one, because an answer may be megabytes long. */
export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
