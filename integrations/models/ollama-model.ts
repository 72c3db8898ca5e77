import { LoopError, type Model, type ModelAnswer, type ModelRequest } from 'rsi-loop';
import type { ModelCall, ModelHealth } from 'rsi-loop/kit';
import { isWithin, modelAnswers, showValue } from 'rsi-loop/kit';
import {
  checkVectors,
  fromEnvironment,
  inParts,
  member,
  namesOf,
  nonEmptyText,
  once,
  tokensOf,
} from './read-values.js';
import { brokenOff, ModelServer, reasonOf, type ServerAnswer, type ServerOptions } from './server.js';
import { addressText, mustBeTexts } from './text-option.js';

/** Options of `OllamaModel`. */
export interface OllamaModelOptions extends Partial<ServerOptions> {
  /** Address of the server. Default `http://127.0.0.1:11434`. */
  readonly url?: string | URL;
  /** Model for answers, such as `qwen3:8b`. Default: the server's first model that is not for embedding. */
  readonly model?: string;
  /** Model for embeddings, such as `nomic-embed-text`. Default: the server's first embedding model, else `model`. */
  readonly embedModel?: string;
  /** Default: the environment variable `OLLAMA_API_KEY`, which is sent over https only. */
  readonly apiKey?: string;
  /** Tokens of prompt and answer together; the server reloads the model when it changes. Default 8,192. */
  readonly numCtx?: number;
  /** Longest answer, in tokens, if a request sets none. Default 2,048. */
  readonly maxTokens?: number;
  /** Longest wait for an answer; the first one waits for the model to be loaded. Default 120,000 ms. */
  readonly timeoutMs?: number;
}

/** The whole answer; `text` may have been streamed before, in pieces. */
interface Told {
  readonly text: string;
  readonly last: unknown;
}

/** Model behind Ollama, by its native protocol, which reports how much of the prompt was read. */
export class OllamaModel implements Model {
  readonly name: string;
  readonly #server: ModelServer;
  readonly #numCtx: number;
  readonly #maxTokens: number;
  readonly #model: () => Promise<string>;
  readonly #embedModel: () => Promise<string>;

  /** @throws LoopError `invalid-input` for an invalid address, key or number. */
  constructor(options: OllamaModelOptions = {}) {
    const { url = 'http://127.0.0.1:11434', model, embedModel, numCtx = 8_192, maxTokens = 2_048 } = options;
    const { timeoutMs = 120_000 } = options;
    mustBeTexts({ model });
    const isPrivate = addressText(url).startsWith('https:');
    const apiKey = options.apiKey ?? (isPrivate ? fromEnvironment('OLLAMA_API_KEY') : undefined);
    if (!isWithin(numCtx, 256))
      throw new LoopError('invalid-input', `numCtx is ${showValue(numCtx)}: give tokens, at least 256`);
    this.#server = new ModelServer({ ...options, url, timeoutMs, ...(apiKey !== undefined && { apiKey }) });
    this.name = `${model ?? 'ollama'} at ${this.#server.host}`;
    this.#numCtx = numCtx;
    this.#maxTokens = maxTokens;
    const tags = once(() => this.#tags());
    this.#model = async () => model ?? this.#pick(await tags(), (name) => !isForEmbedding(name));
    this.#embedModel = async () => {
      if (embedModel !== undefined) return embedModel;
      // A server too old to list its models can still embed with the configured one.
      const names = await tags().catch((error: unknown) => {
        if (model === undefined) throw error;
        return [];
      });
      return names.find(isForEmbedding) ?? this.#model();
    };
  }

  async complete(request: ModelRequest, { signal, timeoutMs, onText }: ModelCall = {}): Promise<ModelAnswer> {
    const asked = { maxTokens: this.#maxTokens, ...request };
    modelAnswers.checkRequest(asked);
    signal?.throwIfAborted();
    const { messages, schema, maxTokens, temperature } = asked;
    const startedMs = this.#server.clock.monotonic();
    const body = {
      model: await this.#model(),
      messages,
      stream: onText !== undefined,
      // Servers that support these two options reject a prompt that does not fit. For others, the check below detects
      // it.
      truncate: false,
      shift: false,
      options: { num_ctx: this.#numCtx, num_predict: maxTokens, ...(temperature !== undefined && { temperature }) },
      ...(schema && { format: schema }),
    };
    const { text, last } = await this.#server.send(
      this.name,
      { path: '/api/chat', body, signal, timeoutMs },
      (answer) => (onText ? this.#follow(answer.lines(), onText) : this.#read(answer)),
    );
    const { tokens } = tokensOf(member(last, 'prompt_eval_count'), member(last, 'eval_count'));
    if (tokens) this.#mustBeWhole(messages, tokens.input);
    const ended = member(last, 'done_reason') === 'length' ? 'length' : 'stop';
    if (ended === 'length' && tokens && tokens.output < (maxTokens ?? 0)) {
      const full = `its context of ${this.#numCtx} tokens was full after ${tokens.output} tokens of answer`;
      throw new LoopError('model-answer', `${this.name}: ${full}: raise numCtx or send less`);
    }
    return {
      ...modelAnswers.checkAnswer(this.name, asked, { text, ended }),
      model: nonEmptyText(member(last, 'model')) ?? body.model,
      by: this.name,
      ...(tokens && { tokens }),
      durationMs: this.#server.clock.monotonic() - startedMs,
    };
  }

  async embed(
    texts: readonly string[],
    { signal, timeoutMs }: ModelCall = {},
  ): Promise<readonly (readonly number[])[]> {
    return inParts(texts, async (input) => {
      // Truncating a text to fit would silently return the vector of another text.
      const body = { model: await this.#embedModel(), input, truncate: false };
      const said = await this.#server.json(this.name, { path: '/api/embed', body, signal, timeoutMs });
      return checkVectors(this.name, member(said, 'embeddings'), input.length);
    });
  }

  async health({ signal, timeoutMs = 5_000 }: Pick<ModelCall, 'signal' | 'timeoutMs'> = {}): Promise<ModelHealth> {
    const startedMs = this.#server.clock.monotonic();
    const ask = (path: string) => this.#server.json(this.name, { path, timeoutMs, signal });
    const [tags, version] = await Promise.allSettled([ask('/api/tags'), ask('/api/version')]);
    const latencyMs = this.#server.clock.monotonic() - startedMs;
    const names = tags.status === 'fulfilled' ? namesOf(member(tags.value, 'models'), 'name', 'model') : [];
    const problem =
      tags.status === 'rejected'
        ? reasonOf(tags)
        : names.length === 0
          ? 'it has no model: run "ollama pull" with the name of one'
          : undefined;
    const said = version.status === 'fulfilled' ? nonEmptyText(member(version.value, 'version')) : undefined;
    return {
      ok: problem === undefined,
      models: names,
      ...(said !== undefined && { version: said }),
      latencyMs,
      ...(problem !== undefined && { problem }),
    };
  }

  async #tags(): Promise<readonly string[]> {
    const said = await this.#server.json(this.name, { path: '/api/tags' });
    return namesOf(member(said, 'models'), 'name', 'model');
  }

  #pick(names: readonly string[], fits: (name: string) => boolean): string {
    const found = names.find(fits);
    if (found !== undefined) return found;
    throw new LoopError('model-refused', `${this.name} has no model to ask: run "ollama pull" with the name of one`);
  }

  async #read(answer: ServerAnswer): Promise<Told> {
    return this.#follow([await answer.text()], () => {});
  }

  /** Reads one record per line: the last has `done`. */
  async #follow(lines: AsyncIterable<string> | Iterable<string>, onText: (piece: string) => void): Promise<Told> {
    let text = '';
    for await (const line of lines) {
      const said = this.#server.parse(this.name, line);
      const error = member(said, 'error');
      // The status was sent before the error occurred.
      if (error !== undefined) throw this.#server.refusalIn(this.name, 500, said);
      const piece = nonEmptyText(member(member(said, 'message'), 'content')) ?? '';
      text += piece;
      if (piece !== '') onText(piece);
      if (member(said, 'done') === true) return { text, last: said };
    }
    throw brokenOff(this.name, text);
  }

  /**
   * Rejects an answer if the prompt was truncated. Servers truncate silently; only the number of tokens read reveals
   * it.
   * @throws LoopError `model-answer`.
   */
  #mustBeWhole(messages: ModelRequest['messages'], read: number): void {
    const longest = MOST_CHARACTERS_PER_TOKEN * read + 400;
    if (messages.reduce((sum, { content }) => sum + content.length, 0) <= longest) return;
    // Runs of one character are few tokens, however long they are.
    const characters = messages.reduce((sum, { content }) => sum + content.replace(/(.)\1{3,}/gsu, '$1').length, 0);
    if (characters <= longest) return;
    const about = Math.round(characters / 4);
    const what = `it read ${read} of about ${about} tokens of the prompt (numCtx is ${this.#numCtx})`;
    throw new LoopError('model-answer', `${this.name}: ${what}: raise numCtx or send less`);
  }
}

/** Prose has 4 to 5 characters per token, code fewer; no normal text has as many as this. */
const MOST_CHARACTERS_PER_TOKEN = 6;

/** Returns whether a model is for embedding, judged by its name. Such models cannot chat. */
export function isForEmbedding(name: string): boolean {
  return /embed|(^|[/:_-])(bge|gte|e5|minilm|paraphrase)([-_:.]|$)|all-minilm/i.test(name);
}
