import type { Json } from 'rsi-loop';
import type { Amount } from 'rsi-loop/oversee';
import type { PlainError } from './plain-error.js';
import type { TaskCall } from './worker.js';

/** Message to a lane. `call` numbers its calls. */
export type ToLane =
  | { readonly kind: 'call'; readonly call: number; readonly task: TaskCall }
  | { readonly kind: 'abort'; readonly call: number; readonly reason: PlainError }
  /** Answer to a question of the worker: a value, or an error. */
  | {
      readonly kind: 'answer';
      readonly call: number;
      readonly question: number;
      readonly value?: unknown;
      readonly error?: PlainError;
    };

/** Message of a lane. */
export type FromLane =
  | { readonly kind: 'done'; readonly call: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly call: number; readonly error: PlainError }
  | {
      readonly kind: 'send';
      readonly call: number;
      readonly question: number;
      readonly to: string;
      readonly body: Json;
    }
  | { readonly kind: 'receive'; readonly call: number; readonly question: number; readonly from?: string }
  /** Wants to make a call. It is answered when the amount is reserved. */
  | { readonly kind: 'reserve'; readonly call: number; readonly question: number; readonly worst: Amount }
  /** The call of this question has ended. */
  | { readonly kind: 'settle'; readonly call: number; readonly question: number; readonly actual: Amount };
