import { LoopError, type Model, type ModelAnswer, type ModelRequest, type TokenUse } from 'rsi-loop';
import type { ModelCall, ModelHealth } from 'rsi-loop/kit';
import { modelAnswers } from 'rsi-loop/kit';
import { countOf, member, namesOf, nonEmptyText, tokensOf } from './read-values.js';
import { worstOf } from './remote-calls.js';
import { remoteHealth } from './remote-health.js';
import { type EmbedderOption, type RemoteModelOptions, type RemoteParts, remoteParts } from './remote-options.js';
import { brokenOff, type ServerAnswer } from './server.js';

/** Options of `AnthropicModel`. */
export type AnthropicModelOptions = RemoteModelOptions & EmbedderOption;

/** Answer, whether it came whole or as a stream. */
interface Told {
  text: string;
  reason: string | undefined;
  model: string | undefined;
  usage: Record<string, unknown>;
}

/**
 * Remote model at Anthropic, by its messages API. It spends money: see `budget`. A temperature is not sent, because newer
 * models reject it.
 */
export class AnthropicModel implements Model {
  readonly name: string;
  readonly #parts: RemoteParts;
  readonly #model: string;
  readonly #embedder: AnthropicModelOptions['embedder'];

  /** @throws LoopError `invalid-input` for an invalid option, a missing key, or a price that must be known. */
  constructor(options: AnthropicModelOptions) {
    this.#parts = remoteParts(options, options.url ?? 'https://api.anthropic.com', 'x-api-key');
    this.name = this.#parts.name;
    this.#model = options.model;
    this.#embedder = options.embedder;
  }

  async complete(request: ModelRequest, { signal, timeoutMs, onText }: ModelCall = {}): Promise<ModelAnswer> {
    const { server, calls, maxTokens } = this.#parts;
    const asked = { ...request, maxTokens: request.maxTokens ?? maxTokens };
    modelAnswers.checkRequest(asked);
    const startedMs = server.clock.monotonic();
    const body = bodyOf(this.#model, asked, onText !== undefined);
    const reply = await calls.run(worstOf(asked, asked.maxTokens), { signal, timeoutMs }, async (leftMs) => {
      const sent = { path: '/v1/messages', body, signal, timeoutMs: leftMs };
      const value = await server.send(this.name, sent, (answer) => this.#read(answer, onText));
      return { value, tokens: usedBy(value) };
    });
    if (reply.reason === 'refusal') throw new LoopError('model-refused', `${this.name} declined to answer`);
    const isCut = reply.reason === 'max_tokens' || reply.reason === 'model_context_window_exceeded';
    const tokens = usedBy(reply);
    return {
      ...modelAnswers.checkAnswer(this.name, asked, { text: reply.text, ended: isCut ? 'length' : 'stop' }),
      model: reply.model ?? this.#model,
      by: this.name,
      ...(tokens && { tokens }),
      durationMs: server.clock.monotonic() - startedMs,
    };
  }

  async embed(texts: readonly string[], call: ModelCall = {}): Promise<readonly (readonly number[])[]> {
    if (this.#embedder) return this.#embedder.embed(texts, call);
    throw new LoopError('model-refused', `${this.name} makes no vectors: give another model as embedder`);
  }

  /** Asks for the list of models, which is free. */
  health(call: Pick<ModelCall, 'signal' | 'timeoutMs'> = {}): Promise<ModelHealth> {
    return remoteHealth(this.#parts, '/v1/models', call, (said) => namesOf(member(said, 'data'), 'id'));
  }

  async #read(answer: ServerAnswer, onText: ModelCall['onText']): Promise<Told> {
    const told: Told = { text: '', reason: undefined, model: undefined, usage: {} };
    if (!answer.contentType.includes('text/event-stream')) {
      this.#takeMessage(told, this.#parts.server.parse(this.name, await answer.text()));
      if (told.text !== '') onText?.(told.text);
      return told;
    }
    for await (const line of answer.lines()) {
      if (!line.startsWith('data:')) continue;
      const said = this.#parts.server.parse(this.name, line.slice('data:'.length).trim());
      const piece = this.#takeEvent(told, said);
      if (piece !== '') onText?.(piece);
      if (member(said, 'type') === 'message_stop') return told;
    }
    throw brokenOff(this.name, told.text);
  }

  #takeMessage(told: Told, said: unknown): void {
    this.#mustBeNoError(said);
    const content = member(said, 'content');
    const parts = Array.isArray(content) ? content : [];
    // Thinking comes in parts of its own.
    told.text = parts
      .map((part) => (member(part, 'type') === 'text' ? nonEmptyText(member(part, 'text')) : ''))
      .join('');
    told.reason = nonEmptyText(member(said, 'stop_reason'));
    told.model = nonEmptyText(member(said, 'model'));
    Object.assign(told.usage, member(said, 'usage'));
  }

  /** Takes one event of a stream and returns its piece of text. */
  #takeEvent(told: Told, said: unknown): string {
    this.#mustBeNoError(said);
    const message = member(said, 'message');
    told.model ??= nonEmptyText(member(message, 'model'));
    // Counts come at the beginning, and again, as they are by then, at the end.
    Object.assign(told.usage, member(message, 'usage'), member(said, 'usage'));
    const delta = member(said, 'delta');
    told.reason = nonEmptyText(member(delta, 'stop_reason')) ?? told.reason;
    const piece = member(delta, 'type') === 'text_delta' ? (nonEmptyText(member(delta, 'text')) ?? '') : '';
    told.text += piece;
    return piece;
  }

  /** @throws LoopError `model-down` for an error that comes after the answer has begun. */
  #mustBeNoError(said: unknown): void {
    if (member(said, 'type') === 'error') throw this.#parts.server.refusalIn(this.name, 500, said);
  }
}

function bodyOf(model: string, { messages, schema, maxTokens }: ModelRequest, stream: boolean): object {
  const system = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n');
  return {
    model,
    max_tokens: maxTokens,
    messages: messages.filter(({ role }) => role !== 'system'),
    ...(system !== '' && { system }),
    ...(schema && { output_config: { format: { type: 'json_schema', schema } } }),
    ...(stream && { stream }),
  };
}

/** Returns all tokens of an answer; those read from a cache or written to it are counted apart by the server. */
function usedBy({ usage }: Told): TokenUse | undefined {
  const cached = (countOf(usage.cache_read_input_tokens) ?? 0) + (countOf(usage.cache_creation_input_tokens) ?? 0);
  const input = countOf(usage.input_tokens);
  return tokensOf(input && input + cached, usage.output_tokens).tokens;
}
