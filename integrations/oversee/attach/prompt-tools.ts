import { isObject } from 'rsi-loop/kit';
import type { WatchedCall } from '../progress-watch.js';
import { RecentKeys } from '../recent-keys.js';

const MAX_CALLS = 1_024;

/** Reads the tool calls that ended since the last prompt from the prompts of a model. */
export class PromptTools {
  readonly #seen = new RecentKeys(MAX_CALLS);

  /** Returns the calls with a result in this prompt that no earlier one had. `prompt` is that of the AI SDK or of OpenAI Agents. */
  newIn(prompt: unknown): readonly WatchedCall[] {
    const parts = itemsOf(prompt);
    const inputs = new Map<unknown, unknown>();
    for (const part of parts) {
      if (part.type === 'tool-call') inputs.set(part.toolCallId, part.input);
      if (part.type === 'function_call') inputs.set(part.callId, part.arguments);
    }
    return parts.flatMap((part) => {
      const isAiSdk = part.type === 'tool-result';
      if (!isAiSdk && part.type !== 'function_call_result') return [];
      const [id, name] = isAiSdk ? [part.toolCallId, part.toolName] : [part.callId, part.name];
      if (typeof id !== 'string' || this.#seen.add(id)) return [];
      const tool = typeof name === 'string' ? name : 'tool';
      return [{ tool, input: inputs.get(id), ...endOf(part.output) }];
    });
  }
}

/** Returns the items of a prompt, and the parts inside its messages. */
function itemsOf(prompt: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(prompt)) return [];
  return prompt
    .filter(isObject)
    .flatMap((item) => [item, ...(Array.isArray(item.content) ? item.content.filter(isObject) : [])]);
}

function endOf(output: unknown): Pick<WatchedCall, 'result' | 'error'> {
  if (!isObject(output)) return { result: output };
  const { type, value, text } = output;
  if (type === 'error-text' || type === 'error-json')
    return { error: typeof value === 'string' ? value : JSON.stringify(value) };
  return { result: value ?? text ?? output };
}
