import { parentPort } from 'node:worker_threads';

/** Connection of a thread or process to the one that started it. */
export interface LanePort {
  post(message: unknown): void;
  onMessage(handler: (message: unknown) => void): void;
}

/**
 * Returns the connection to the process that started this one, or undefined if this is no lane. A process ends when its
 * parent is gone.
 */
export function lanePort(): LanePort | undefined {
  if (parentPort) {
    const port = parentPort;
    return { post: (message) => port.postMessage(message), onMessage: (handler) => void port.on('message', handler) };
  }
  if (!process.send) return undefined;
  process.on('disconnect', () => process.exit(1));
  return {
    post: (message) => void process.send?.(message),
    onMessage: (handler) => void process.on('message', handler),
  };
}
