import {
  type Clock,
  type Embedder,
  LoopError,
  type Model,
  type ModelAnswer,
  type ModelRequest,
  SystemClock,
  type TokenUse,
} from 'rsi-loop';
import { isObject, type ModelCall, type ModelHealth, modelAnswers, mustBe, showValue } from 'rsi-loop/kit';
import type { AiSdkLanguageModel } from './ai-sdk-shapes.js';
import { errorOfSdk, optionsOfSdk, readGenerated, readStream } from './ai-sdk-values.js';
import type { ModelBudget, ModelPrice } from './budget.js';
import { RemoteCalls, worstOf } from './remote-calls.js';
import type { EmbedderOption } from './remote-options.js';

/** Options of `AiSdkModel`. */
export interface AiSdkModelOptions extends EmbedderOption {
  /** Limit of what may be spent. Models and processes may share one. */
  readonly budget: ModelBudget;
  /** Default: unknown, so that the budget needs `maxTokens`. */
  readonly price?: ModelPrice;
  /** Longest answer, in tokens, if a request sets none. Default 2,048. */
  readonly maxTokens?: number;
  /** Longest wait for an answer, with the waits that the provider asks for. Default 60,000 ms. */
  readonly timeoutMs?: number;
  /** Default: the machine's time. */
  readonly clock?: Clock;
}

/**
 * Model of the AI SDK 5, 6 or 7, such as `openai('gpt-5')` or `bedrock('...')`. It covers every provider of the SDK. The
 * SDK holds the key. It spends money: see `budget`.
 */
export class AiSdkModel implements Model {
  readonly name: string;
  readonly #language: AiSdkLanguageModel;
  readonly #calls: RemoteCalls;
  readonly #embedder: Embedder | undefined;
  readonly #maxTokens: number;
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  #problem: string | undefined;

  /** @throws LoopError `invalid-input` for an invalid model or option, or a price that must be known. */
  constructor(language: AiSdkLanguageModel, options: AiSdkModelOptions) {
    if (typeof language !== 'object' || typeof language?.doGenerate !== 'function') {
      const given = typeof language === 'string' ? JSON.stringify(language) : typeof language;
      throw new LoopError(
        'invalid-input',
        `the model is ${given}: give a model object of the AI SDK, as openai('gpt-5')`,
      );
    }
    for (const [name, text] of Object.entries({ modelId: language.modelId, provider: language.provider }))
      mustBe(typeof text === 'string', name, showValue(text), 'a text');
    const isOptions = isObject(options) && isObject(options.budget);
    mustBe(isOptions, 'options', showValue(options), 'an object with a budget');
    const { budget, price, maxTokens = 2_048, timeoutMs = 60_000, clock = new SystemClock(), embedder } = options;
    this.name = `${language.modelId} at ${language.provider}`;
    this.#language = language;
    this.#calls = new RemoteCalls({ name: this.name, budget, price, timeoutMs, clock });
    this.#embedder = embedder;
    this.#maxTokens = maxTokens;
    this.#timeoutMs = timeoutMs;
    this.#clock = clock;
  }

  async complete(request: ModelRequest, call: ModelCall = {}): Promise<ModelAnswer> {
    const asked = { ...request, maxTokens: request.maxTokens ?? this.#maxTokens };
    modelAnswers.checkRequest(asked);
    const startedMs = this.#clock.monotonic();
    const timeoutMs = call.timeoutMs ?? this.#timeoutMs;
    const reply = await this.#calls.run(worstOf(asked, asked.maxTokens), { ...call, timeoutMs }, async (leftMs) => {
      const value = await this.#ask(asked, call, leftMs, timeoutMs);
      return { value, tokens: value.tokens };
    });
    if (reply.reason === 'content-filter') {
      throw new LoopError('model-refused', `${this.name}: a content filter withdrew the answer`);
    }
    return {
      ...modelAnswers.checkAnswer(this.name, asked, {
        text: reply.text,
        ended: reply.reason === 'length' ? 'length' : 'stop',
      }),
      model: reply.model ?? this.#language.modelId,
      by: this.name,
      ...(reply.tokens && { tokens: reply.tokens as TokenUse }),
      durationMs: this.#clock.monotonic() - startedMs,
    };
  }

  async embed(texts: readonly string[], call: ModelCall = {}): Promise<readonly (readonly number[])[]> {
    if (this.#embedder) return this.#embedder.embed(texts, call);
    throw new LoopError('model-refused', `${this.name} makes no vectors: give another model as embedder`);
  }

  /** Reports how the last call ended: the SDK has no way to ask a provider without paying. */
  async health(): Promise<ModelHealth> {
    const problem = this.#problem;
    const models = [this.#language.modelId];
    return { ok: problem === undefined, models, latencyMs: 0, ...(problem !== undefined && { problem }) };
  }

  async #ask(request: ModelRequest, { signal, onText }: ModelCall, leftMs: number, timeoutMs: number) {
    const abort = new AbortController();
    const pass = () => abort.abort(signal?.reason);
    signal?.addEventListener('abort', pass, { once: true });
    let cancel = () => {};
    const ended = new Promise<never>((_, reject) => {
      cancel = this.#clock.after(leftMs, () => {
        reject(new LoopError('timed-out', `${this.name} gave no whole answer within ${timeoutMs} ms: raise timeoutMs`));
        abort.abort();
      });
      abort.signal.addEventListener('abort', () => reject(signal?.reason), { once: true });
    });
    const options = { ...optionsOfSdk(request), abortSignal: abort.signal };
    try {
      const work = onText
        ? this.#language.doStream(options).then((answer) => readStream(this.name, answer, onText))
        : this.#language.doGenerate(options).then((answer) => readGenerated(answer, this.name));
      // A provider that ignores the signal must not hold the call.
      const reply = await Promise.race([work, ended]);
      this.#problem = undefined;
      return reply;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const shown = errorOfSdk(this.name, error);
      this.#problem = shown.message;
      throw shown;
    } finally {
      cancel();
      signal?.removeEventListener('abort', pass);
    }
  }
}
