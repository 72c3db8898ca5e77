import { isObject } from 'rsi-loop/kit';
import { listPrice } from 'rsi-loop/models';
import type { Amount, WatchedCall } from 'rsi-loop/oversee';

/** Event of `claude -p --output-format stream-json` that matters to a supervisor. */
export type ClaudeEvent =
  | { readonly kind: 'model-call'; readonly model: string; readonly used: Amount }
  | { readonly kind: 'tool-call'; readonly call: WatchedCall }
  /** End of the session, with its whole price and its answer. */
  | { readonly kind: 'result'; readonly usd: number; readonly text: string; readonly hasFailed: boolean };

/** Tokens in a cache cost this much of the price of input: those read, and those written. */
const CACHE_READ = 0.1;
const CACHE_WRITTEN = 1.25;

/** Reads the lines of Claude Code. A call of the model has one line for each of its parts, and counts when the next one begins. */
export class ClaudeStream {
  readonly #tools = new Map<string, { readonly tool: string; readonly input: unknown }>();
  #message: { readonly id: string; readonly model: string; readonly usage: unknown } | undefined;

  /** Returns the events of a line; none for a line that is no event. */
  read(line: string): readonly ClaudeEvent[] {
    const event = parsed(line);
    if (event?.type === 'assistant') return this.#assistant(event.message);
    if (event?.type === 'user') return [...this.#ended(), ...this.#results(event.message)];
    if (event?.type !== 'result') return [];
    const { total_cost_usd: usd, result, is_error: hasFailed } = event;
    const text = typeof result === 'string' ? result : '';
    return [
      ...this.#ended(),
      { kind: 'result', usd: typeof usd === 'number' ? usd : 0, text, hasFailed: hasFailed === true },
    ];
  }

  #assistant(message: unknown): readonly ClaudeEvent[] {
    if (!isObject(message)) return [];
    const { id, model, usage } = message;
    const ended = this.#message !== undefined && this.#message.id !== id ? this.#ended() : [];
    this.#message = { id: String(id), model: String(model), usage };
    for (const part of partsOf(message))
      if (part.type === 'tool_use') this.#tools.set(String(part.id), { tool: String(part.name), input: part.input });
    return ended;
  }

  #results(message: unknown): readonly ClaudeEvent[] {
    return partsOf(message).flatMap((part): readonly ClaudeEvent[] => {
      const id = String(part.tool_use_id);
      const asked = part.type === 'tool_result' ? this.#tools.get(id) : undefined;
      if (!asked) return [];
      this.#tools.delete(id);
      const { content, is_error: hasFailed } = part;
      const error = typeof content === 'string' ? content : JSON.stringify(content);
      return [{ kind: 'tool-call', call: { ...asked, ...(hasFailed === true ? { error } : { result: content }) } }];
    });
  }

  /** Returns the call of the model whose lines have ended. */
  #ended(): readonly ClaudeEvent[] {
    const message = this.#message;
    this.#message = undefined;
    if (!message) return [];
    return [{ kind: 'model-call', model: message.model, used: usedBy(message.model, message.usage) }];
  }
}

/** Returns what a call used, without dollars if the model has no list price. */
function usedBy(model: string, usage: unknown): Amount {
  const count = (name: string) => {
    const value = isObject(usage) ? usage[name] : undefined;
    return typeof value === 'number' && value >= 0 ? value : 0;
  };
  const [input, output] = [count('input_tokens'), count('output_tokens')];
  const [read, written] = [count('cache_read_input_tokens'), count('cache_creation_input_tokens')];
  const tokens = input + read + written + output;
  const price = listPrice(model);
  if (!price) return { tokens, calls: 1 };
  const paidInput = input + CACHE_READ * read + CACHE_WRITTEN * written;
  return { tokens, calls: 1, usd: (paidInput * price.inputUsd + output * price.outputUsd) / 1_000_000 };
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function partsOf(message: unknown): readonly Readonly<Record<string, unknown>>[] {
  return isObject(message) && Array.isArray(message.content) ? message.content.filter(isObject) : [];
}
