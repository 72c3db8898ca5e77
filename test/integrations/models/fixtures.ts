import { LoopError } from 'rsi-loop';
import { onTestFinished } from 'vitest';

export const QUESTION = { messages: [{ role: 'user', content: 'Why?' }] } as const;

/** A server that is stopped when the test has ended. */
export async function closing<T extends { stop(): unknown }>(starting: Promise<T>): Promise<T> {
  const server = await starting;
  onTestFinished(async () => {
    await server.stop();
  });
  return server;
}

export async function failure(call: Promise<unknown>): Promise<{ readonly code: string; readonly message: string }> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (LoopError.is(error)) return error;
  throw new Error(`expected a LoopError, found ${error}`);
}
