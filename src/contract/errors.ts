/** Reasons for a thrown error. The list is closed: callers switch on it. */
export type LoopErrorCode =
  | 'invalid-input'
  | 'invalid-policy'
  | 'unknown-fix'
  | 'illegal-step'
  | 'closed'
  | 'store-failed'
  | 'store-conflict'
  /** The ledger lacks decisions that this process already knew: its location was deleted or replaced. */
  | 'store-replaced'
  | 'breaker-open'
  | 'queue-full'
  | 'timed-out'
  /** A budget does not cover the next call. */
  | 'budget-exceeded'
  /** A supervised run was stopped. */
  | 'stopped'
  | 'not-accepted'
  /** A model or its server is unreachable, overloaded or disconnected. A retry or another model may succeed. */
  | 'model-down'
  /** A model's server understood the request and rejected it. Other servers would reject the same request too. */
  | 'model-refused'
  /** A model answered, but not with what the request asked for. */
  | 'model-answer'
  /** A path or file that a workspace must not read or write, and why. */
  | 'workspace-refused'
  /** The environment (disk, permissions) prevented a workspace operation. */
  | 'workspace-failed'
  /** A skill failed: its code threw, exceeded a limit, or answered against its schema. */
  | 'skill-failed'
  /** This machine cannot isolate a command that is not trusted. */
  | 'sandbox-refused'
  | 'missing-peer';

const brand = Symbol.for('rsi-loop.error');

/**
 * The only error class. Its message says what failed, with which value, and what to do. The original is its `cause`.
 * Test it with `LoopError.is`: two entry points of the package may each contain a copy of the class.
 */
export class LoopError extends Error {
  static {
    // A bundler shortens the name of the class, and Node would print `s [LoopError]`.
    Object.defineProperty(LoopError, 'name', { value: 'LoopError' });
  }

  override readonly name = 'LoopError';
  readonly code: LoopErrorCode;

  constructor(code: LoopErrorCode, message: string, options?: { readonly cause?: unknown }) {
    // Untyped programs pass values that are no text, and some cannot be converted to one.
    super(typeof message === 'string' ? message : 'an error without a message', options);
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  static is(error: unknown): error is LoopError {
    try {
      return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[brand] === true;
    } catch {
      return false; // a revoked proxy, or a getter that throws
    }
  }
}
