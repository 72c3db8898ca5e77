/** Whether a value can be waited for. Never throws. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  try {
    return 'then' in value && typeof value.then === 'function';
  } catch {
    return false; // a proxy or a getter that throws
  }
}

/** Handles the rejection of a value that turns out to be a promise: unhandled, it would end the host's process. */
export function handleRejection(value: unknown, onReject: (error: unknown) => void = () => {}): void {
  if (!isThenable(value)) return;
  try {
    value.then(undefined, onReject);
  } catch (error) {
    onReject(error);
  }
}
