/** What can break a promise. Closed list: callers switch on it. */
export type LoopErrorCode =
  | 'invalid-input'
  | 'invalid-policy'
  | 'unknown-fix'
  | 'illegal-step'
  | 'closed'
  | 'store-failed'
  | 'store-conflict'
  /** The ledger no longer holds the decisions this process knew: its place was deleted or replaced. */
  | 'store-replaced'
  | 'breaker-open'
  | 'queue-full'
  | 'timed-out'
  | 'not-accepted'
  /** A model or its server cannot be reached, is overloaded or broke off: another one, or a later try, may answer. */
  | 'model-down'
  /** A model's server understood the request and will not do it: the same request gets the same answer elsewhere. */
  | 'model-refused'
  /** A model answered, but not what was asked for. */
  | 'model-answer'
  /** A path or a file that must not be read or written through a workspace, and why. */
  | 'workspace-refused'
  /** The outside (disk, rights) did not let a workspace do its work. */
  | 'workspace-failed'
  | 'missing-peer';

const brand = Symbol.for('rsi-loop.error');

/**
 * The one error class. Its message says what failed, with which value, and what to do; the original is its `cause`.
 * Recognise it by `LoopError.is`: two entries of the package may carry two copies of the class.
 */
export class LoopError extends Error {
  override readonly name = 'LoopError';
  readonly code: LoopErrorCode;

  constructor(code: LoopErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  static is(error: unknown): error is LoopError {
    return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[brand] === true;
  }
}
