import { LoopError, type LoopErrorCode } from 'rsi-loop';
import { messageOf } from 'rsi-loop/kit';

/** Error as plain JSON, with the fields that name its class. */
export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly code?: string | number;
  readonly status?: number;
}

/** Returns any thrown value as JSON for another thread, process or machine. Never throws. */
export function toPlainError(error: unknown): PlainError {
  const { name, code, status } = fieldsOf(error);
  return {
    name: typeof name === 'string' ? name : 'Error',
    message: messageOf(error),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(typeof status === 'number' && { status }),
  };
}

/** Returns the error that `toPlainError` wrote. */
export function fromPlainError({ name, message, code, status }: PlainError): Error {
  if (name === 'LoopError') return new LoopError(code as LoopErrorCode, message); // `toPlainError` wrote it
  const error = new Error(message);
  error.name = name;
  return Object.assign(error, { ...(code !== undefined && { code }), ...(status !== undefined && { status }) });
}

function fieldsOf(error: unknown): { readonly name?: unknown; readonly code?: unknown; readonly status?: unknown } {
  if (typeof error !== 'object' || error === null) return {};
  try {
    const { name, code, status } = error as Readonly<Record<string, unknown>>; // any field may be missing
    return { name, code, status };
  } catch {
    return {}; // a proxy or a getter that throws
  }
}
