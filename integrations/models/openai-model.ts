import { LoopError, type Model, type ModelAnswer, type ModelRequest } from 'rsi-loop';
import type { ModelCall, ModelHealth } from 'rsi-loop/kit';
import { modelAnswers } from 'rsi-loop/kit';
import { chatBody, readChat, vectorsIn } from './chat-completions.js';
import { checkVectors, inParts, member, namesOf, tokensOf } from './read-values.js';
import { worstOf, worstOfTexts } from './remote-calls.js';
import { remoteHealth } from './remote-health.js';
import { type RemoteModelOptions, type RemoteParts, remoteParts } from './remote-options.js';

/** Options of `OpenAiModel`. */
export interface OpenAiModelOptions extends RemoteModelOptions {
  /** Address up to `/chat/completions`, such as `https://openrouter.ai/api/v1`. Default `https://api.openai.com/v1`. */
  readonly url?: string | URL;
  /** Model for vectors, such as `text-embedding-3-small`. Default: `embed` rejects. */
  readonly embedModel?: string;
}

/** Remote model at OpenAI, or at any address that speaks its protocol and wants a key. It spends money: see `budget`. */
export class OpenAiModel implements Model {
  readonly name: string;
  readonly #parts: RemoteParts;
  readonly #model: string;
  readonly #embedModel: string | undefined;
  readonly #isNewest: boolean;

  /** @throws LoopError `invalid-input` for an invalid option, a missing key, or a price that must be known. */
  constructor(options: OpenAiModelOptions) {
    const { url = 'https://api.openai.com/v1', model, embedModel } = options;
    this.#parts = remoteParts(options, url, 'bearer');
    this.name = this.#parts.name;
    this.#model = model;
    this.#embedModel = embedModel;
    this.#isNewest = new URL(url).host === 'api.openai.com';
  }

  async complete(request: ModelRequest, { signal, timeoutMs, onText }: ModelCall = {}): Promise<ModelAnswer> {
    const { server, calls, maxTokens } = this.#parts;
    const asked = { ...request, maxTokens: request.maxTokens ?? maxTokens };
    modelAnswers.checkRequest(asked);
    const startedMs = server.clock.monotonic();
    const body = chatBody(this.#model, asked, onText !== undefined, { isNewest: this.#isNewest });
    const reply = await calls.run(worstOf(asked, asked.maxTokens), { signal, timeoutMs }, async (leftMs) => {
      const sent = { path: '/chat/completions', body, signal, timeoutMs: leftMs };
      const value = await server.send(this.name, sent, readChat(server, this.name, onText));
      return { value, tokens: value.tokens };
    });
    return {
      ...modelAnswers.checkAnswer(this.name, asked, reply),
      model: reply.model ?? this.#model,
      by: this.name,
      ...(reply.tokens && { tokens: reply.tokens }),
      durationMs: server.clock.monotonic() - startedMs,
    };
  }

  async embed(
    texts: readonly string[],
    { signal, timeoutMs }: ModelCall = {},
  ): Promise<readonly (readonly number[])[]> {
    if (texts.length === 0) return [];
    const model = this.#embedModel;
    if (model === undefined) throw new LoopError('model-refused', `${this.name} makes no vectors: name an embedModel`);
    const { server, calls } = this.#parts;
    return inParts(texts, (input) =>
      calls.run(worstOfTexts(input), { signal, timeoutMs }, async (leftMs) => {
        const body = { model, input, encoding_format: 'float' };
        const said = await server.json(this.name, { path: '/embeddings', body, signal, timeoutMs: leftMs });
        const value = checkVectors(this.name, vectorsIn(said), input.length);
        return { value, ...tokensOf(member(member(said, 'usage'), 'prompt_tokens'), 0) };
      }),
    );
  }

  /** Asks for the list of models, which is free. */
  health(call: Pick<ModelCall, 'signal' | 'timeoutMs'> = {}): Promise<ModelHealth> {
    return remoteHealth(this.#parts, '/models', call, (said) => namesOf(member(said, 'data'), 'id'));
  }
}
