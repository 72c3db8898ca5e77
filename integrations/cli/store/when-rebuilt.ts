import type { RSILoop } from 'rsi-loop';
import { percentOf, whole } from '../terminal/numbers.js';
import { Progress } from '../terminal/progress.js';

/**
 * Passes `work` a loop that knows all stored records. If the snapshot is missing, damaged or of another version,
 * rebuilding takes a while; a terminal then shows the progress.
 */
export function whenRebuilt<Rest extends readonly unknown[], Result>(
  work: (loop: RSILoop, ...rest: Rest) => Result | Promise<Result>,
): (loop: RSILoop, ...rest: Rest) => Promise<Result> {
  return async (loop, ...rest) => {
    const progress = new Progress(process.stderr);
    const end = loop.on('rebuild-progressed', ({ records, of }) => {
      progress.show(() => `reading ${whole(of)} stored records again: ${percentOf(records / of)}`);
    });
    try {
      await loop.rebuilt();
    } finally {
      end();
      progress.clear();
    }
    return work(loop, ...rest);
  };
}
