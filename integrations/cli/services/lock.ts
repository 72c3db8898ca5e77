import { basename, dirname } from 'node:path';
import { LoopError } from 'rsi-loop';
import { FileLock } from 'rsi-loop/node';

/**
 * Runs `work` while no other process does the same. The lock of a process that died counts as none. `doing` describes
 * the work for the other process, such as `starting vllm`.
 * @throws LoopError `invalid-input` if another process holds the lock.
 */
export async function withLock<T>(path: string, doing: string, work: () => Promise<T>): Promise<T> {
  const lock = await FileLock.take(dirname(path), basename(path));
  if (!(lock instanceof FileLock)) {
    const { pid, isElsewhere } = lock;
    const advice = isElsewhere ? `or delete ${path} if that process has ended` : 'until it is done';
    throw new LoopError('invalid-input', `process ${pid} is ${doing}: wait ${advice}`);
  }
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** Returns whether a living process holds the lock. */
export function isLocked(path: string): Promise<boolean> {
  return FileLock.isHeld(dirname(path), basename(path));
}
