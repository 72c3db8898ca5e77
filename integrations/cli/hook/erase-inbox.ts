import { readdirSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { EraseFilter } from 'rsi-loop';

/**
 * Removes hook outcomes that no collector has read yet, if the file holds all fields of the filter. Does not follow
 * links. Returns the number of files; with `dryRun` it removes none.
 */
export function eraseSpool(store: string, filter: EraseFilter, { dryRun }: { readonly dryRun: boolean }): number {
  const { text, ...names } = filter;
  const marks = Object.values(names).flatMap((name) => (name === undefined ? [] : [JSON.stringify(name)]));
  if (text !== undefined) marks.push(JSON.stringify(text).slice(1, -1));
  return eraseIn(join(store, 'hooks'), marks, dryRun);
}

function eraseIn(folder: string, marks: readonly string[], dryRun: boolean): number {
  let count = 0;
  for (const entry of namesIn(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) count += eraseIn(path, marks, dryRun);
    if (!entry.isFile() || !holds(path, marks)) continue;
    count++;
    if (!dryRun) unlinkSync(path);
  }
  return count;
}

function namesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // no hook has left anything
  }
}

function holds(path: string, marks: readonly string[]): boolean {
  try {
    const content = readFileSync(path, 'utf8');
    return marks.every((mark) => content.includes(mark));
  } catch {
    return false; // removed by a collector in the meantime
  }
}
