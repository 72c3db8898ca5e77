import type { CodePatch } from 'rsi-loop/bench';
import { comparing } from 'rsi-loop/kit';

/** A line that is longer counts as several. */
const LINE = 120;

/** Returns the number of lines that a patch removes and adds. Long lines count as several. */
export function patchSize(patch: CodePatch, before: ReadonlyMap<string, string | undefined>): number {
  let size = 0;
  for (const [path, text] of Object.entries(patch)) {
    const diff = comparing.unifiedDiff(before.get(path), text ?? undefined, path);
    const lines = diff.split('\n');
    // The header ends at the first hunk.
    for (const line of lines.slice(
      Math.max(
        0,
        lines.findIndex((each) => each.startsWith('@@')),
      ),
    )) {
      if (line.startsWith('+') || line.startsWith('-')) size += Math.max(1, Math.ceil((line.length - 1) / LINE));
    }
  }
  return size;
}
