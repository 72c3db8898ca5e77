import type { JsonSchema } from '../contract/json-schema.js';
import type { Embedder } from './embedder.js';
import type { Json } from './json.js';
import type { ModelCall } from './model-call.js';
import type { TokenUse } from './outcome.js';

export interface ModelMessage {
  /** What comes from outside, recorded text above all, never stands in `system`. */
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What a model is wanted for; a router takes one by it. */
export type ModelRole = 'fast' | 'chat' | 'code' | 'reason';

/** Whether a person waits for the answer, or the loop asks in the background. */
export type ModelMode = 'interactive' | 'loop';

export interface ModelRequest {
  /** At least one; the last one is answered. */
  readonly messages: readonly ModelMessage[];
  /** The answer has to be JSON of this schema, and nothing else. */
  readonly schema?: JsonSchema;
  /** Longest answer, in tokens. Default: the model's own. */
  readonly maxTokens?: number;
  /** 0 (always the likeliest word) to 2. Default: the server's own. */
  readonly temperature?: number;
  readonly role?: ModelRole;
  readonly mode?: ModelMode;
}

export interface ModelAnswer {
  /** Never empty. */
  readonly text: string;
  /** The text, read and checked against the schema; exactly where one was asked for. */
  readonly json?: Json;
  /** The model that answered, as its server calls it. */
  readonly model: string;
  /** `name` of the `Model` that answered: in a pool, one of its hosts. */
  readonly by: string;
  /** `length`: broken off at the longest answer allowed. Never with a schema. */
  readonly ended: 'stop' | 'length';
  /** As the server counted them; absent where it did not. */
  readonly tokens?: TokenUse;
  readonly durationMs: number;
}

/** What a model's server says of itself. */
export interface ModelHealth {
  /** Whether a call made now has a chance. */
  readonly ok: boolean;
  /** What it can be asked for. */
  readonly models: readonly string[];
  readonly version?: string;
  /** Requests it is working on, and those that wait for their turn; where it tells. */
  readonly running?: number;
  readonly waiting?: number;
  /** How long it took to say so. */
  readonly latencyMs: number;
  /** What is wrong; exactly where `ok` is false. */
  readonly problem?: string;
}

/** A language model. Every implementation passes the contract suite of `rsi-loop/testing`. */
export interface Model extends Embedder {
  /** What reports call it, such as `qwen3:8b at gpu-1:11434`. Holds no key. */
  readonly name: string;
  /**
   * One answer. With a schema it was checked here, whatever the server promised.
   * @throws LoopError `model-down`, `model-refused`, `model-answer`, `timed-out`, or `invalid-input` for a request that
   * cannot be sent. None of their messages holds a key.
   */
  complete(request: ModelRequest, call?: ModelCall): Promise<ModelAnswer>;
  /** Never rejects: what is wrong stands in the answer. */
  health(call?: Pick<ModelCall, 'signal' | 'timeoutMs'>): Promise<ModelHealth>;
}
