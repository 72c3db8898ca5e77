import type { JsonSchema } from '../contract/json-schema.js';
import type { Embedder } from './embedder.js';
import type { Json } from './json.js';
import type { ModelCall } from './model-call.js';
import type { TokenUse } from './outcome.js';

/** One message of a conversation with a model. */
export interface ModelMessage {
  /** `system` never contains external input, such as recorded text. */
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** Purpose of a model; a router selects a model by it. */
export type ModelRole = 'fast' | 'chat' | 'code' | 'reason';

/** Whether a person waits for the answer, or the loop asks in the background. */
export type ModelMode = 'interactive' | 'loop';

/** Request to a model: messages, limits and the form of the answer. */
export interface ModelRequest {
  /** At least one; the model answers the last one. */
  readonly messages: readonly ModelMessage[];
  /** The answer must be JSON that matches this schema, and nothing else. */
  readonly schema?: JsonSchema;
  /** Longest answer, in tokens. Default: the model's own. */
  readonly maxTokens?: number;
  /** 0 (always the most likely token) to 2. Default: the server's own. */
  readonly temperature?: number;
  readonly role?: ModelRole;
  readonly mode?: ModelMode;
}

/** Answer of a model, with what it cost. */
export interface ModelAnswer {
  /** Never empty. */
  readonly text: string;
  /** The text, parsed and validated against the schema; present if and only if the request had one. */
  readonly json?: Json;
  /** Model that answered, as its server names it. */
  readonly model: string;
  /** `name` of the `Model` that answered. In a pool, this is one of its hosts. */
  readonly by: string;
  /** `length`: the answer was cut off at the token limit. Never with a schema. */
  readonly ended: 'stop' | 'length';
  /** As counted by the server; absent if it reported none. */
  readonly tokens?: TokenUse;
  readonly durationMs: number;
}

/** Status reported by a model's server. */
export interface ModelHealth {
  /** Whether a call made now can succeed. */
  readonly ok: boolean;
  /** Models the server offers. */
  readonly models: readonly string[];
  readonly version?: string;
  /** Requests in progress and in the server's queue, if it reports them. */
  readonly running?: number;
  readonly waiting?: number;
  /** Time the server took to report this. */
  readonly latencyMs: number;
  /** Description of the problem; present if and only if `ok` is false. */
  readonly problem?: string;
}

/** A language model. Every implementation passes the contract suite of `rsi-loop/testing`. */
export interface Model extends Embedder {
  /** Display name in reports, such as `qwen3:8b at gpu-1:11434`. Contains no key. */
  readonly name: string;
  /**
   * Returns one answer. With a schema, the answer is validated here, even if the server already guarantees it.
   * @throws LoopError `model-down`, `model-refused`, `model-answer`, `timed-out`, or `invalid-input` for a request that
   * cannot be sent. Error messages never contain a key.
   */
  complete(request: ModelRequest, call?: ModelCall): Promise<ModelAnswer>;
  /** Returns the server's status. Never rejects: problems are part of the result. */
  health(call?: Pick<ModelCall, 'signal' | 'timeoutMs'>): Promise<ModelHealth>;
}
