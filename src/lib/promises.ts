/** Returns whether a value is a promise or a thenable. Never throws. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  try {
    return 'then' in value && typeof value.then === 'function';
  } catch {
    return false; // a proxy or a getter that throws
  }
}

/** Handles the rejection if a value is a promise. An unhandled rejection would end the host's process. */
export function handleRejection(value: unknown, onReject: (error: unknown) => void = () => {}): void {
  if (!isThenable(value)) return;
  try {
    value.then(undefined, onReject);
  } catch (error) {
    onReject(error);
  }
}
