import { LoopError } from '../contract/errors.js';
import type { Json } from '../contract/json.js';
import type { Model, ModelAnswer, ModelHealth, ModelRequest } from '../contract/model.js';
import type { ModelCall } from '../contract/model-call.js';
import type { TokenUse } from '../contract/outcome.js';
import { hashHex } from '../lib/hash.js';
import { checkAnswer, checkRequest } from '../lib/model-answer.js';

/** Behaviour of a scripted model, or of a test server, for one request. */
export type ModelStep =
  | { readonly kind: 'text'; readonly text: string; readonly tokens?: TokenUse }
  | { readonly kind: 'json'; readonly json: Json }
  /** Cuts the answer off at the token limit. */
  | { readonly kind: 'cut'; readonly text: string }
  /** Is unreachable. */
  | { readonly kind: 'down' }
  /** Starts to answer, then disconnects. */
  | { readonly kind: 'broken'; readonly text: string }
  /** Rejects the request. */
  | { readonly kind: 'refused' }
  /** Never answers. */
  | { readonly kind: 'slow' };

export interface ScriptedModelOptions {
  /** Default `scripted`. */
  readonly name?: string;
  /** Returns the vector that `embed` uses for a text. Default: a vector of 16 numbers derived from its words. */
  readonly vectorOf?: (text: string) => readonly number[];
}

/** A step, or only the text or JSON of the answer. */
export type Scripted = ModelStep | string;
type Script = readonly Scripted[] | ((request: ModelRequest) => Scripted);

/** Model with answers set by a test: a list with one per call, or a function of the request. */
export class ScriptedModel implements Model {
  readonly name: string;
  /** All requests so far, oldest first. */
  readonly requests: ModelRequest[] = [];
  /** While true, the model is unreachable. */
  down = false;
  readonly #script: Script;
  readonly #vectorOf: (text: string) => readonly number[];

  constructor(script: Script = [], { name = 'scripted', vectorOf = vectorOfWords }: ScriptedModelOptions = {}) {
    this.name = name;
    this.#script = script;
    this.#vectorOf = vectorOf;
  }

  async complete(request: ModelRequest, call: ModelCall = {}): Promise<ModelAnswer> {
    checkRequest(request);
    call.signal?.throwIfAborted();
    const step = this.#next(request);
    const said = await this.#play(step, call);
    return {
      ...checkAnswer(this.name, request, { text: said, ended: step.kind === 'cut' ? 'length' : 'stop' }),
      model: this.name,
      by: this.name,
      durationMs: 0,
      ...(step.kind === 'text' && step.tokens && { tokens: step.tokens }),
    };
  }

  async embed(texts: readonly string[], { signal }: ModelCall = {}): Promise<readonly (readonly number[])[]> {
    signal?.throwIfAborted();
    if (this.down) throw isDown(this.name);
    return texts.map((text) => this.#vectorOf(text));
  }

  async health(): Promise<ModelHealth> {
    const problem = `${this.name} is down`;
    return { ok: !this.down, models: [this.name], latencyMs: 0, ...(this.down && { problem }) };
  }

  #next(request: ModelRequest): ModelStep {
    if (this.down) return { kind: 'down' };
    const index = this.requests.push(request) - 1;
    const said = typeof this.#script === 'function' ? this.#script(request) : this.#script[index];
    if (typeof said === 'string') return { kind: 'text', text: said };
    if (said) return said;
    throw new LoopError('invalid-input', `the script of ${this.name} ended after ${index} answers: give it more`);
  }

  async #play(step: ModelStep, { signal, timeoutMs, onText }: ModelCall): Promise<string> {
    switch (step.kind) {
      case 'down':
        throw isDown(this.name);
      case 'refused':
        throw new LoopError('model-refused', `${this.name} will not do it`);
      case 'slow':
        return forEver(this.name, signal, timeoutMs);
      case 'broken':
        onText?.(step.text);
        throw new LoopError('model-down', `${this.name} broke off in the middle of its answer`);
      default: {
        const text = step.kind === 'json' ? JSON.stringify(step.json) : step.text;
        for (const piece of text.match(/\S+\s*|\s+/g) ?? []) onText?.(piece);
        return text;
      }
    }
  }
}

function isDown(name: string): LoopError {
  return new LoopError('model-down', `${name} is down`);
}

function forEver(name: string, signal: AbortSignal | undefined, timeoutMs: number | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = (error: unknown) => {
      clearTimeout(timer);
      reject(error);
    };
    const late = () => end(new LoopError('timed-out', `${name} gave no answer within ${timeoutMs} ms`));
    const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
    signal?.addEventListener('abort', () => end(signal.reason), { once: true });
  });
}

/** Returns similar vectors for texts that share words. */
function vectorOfWords(text: string): readonly number[] {
  const vector = new Array<number>(16).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+|\d+/gu) ?? []) {
    const slot = Number.parseInt(hashHex(word).slice(0, 6), 16) % vector.length;
    vector[slot] = (vector[slot] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((part) => part / length);
}
