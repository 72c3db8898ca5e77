import { join } from 'node:path';
import { type Labelled, readLabelled } from './score.js';

/** Sets of labelled messages, in the order in which words are learned from them. */
export const fixtureNames: readonly string[] =
  'seen held-out real last gathered services agents trades second third tools sentences compilers common refusals programs neutral'.split(
    ' ',
  );

export function fixturePath(name: string): string {
  return join(import.meta.dirname, `fixtures/${name}.jsonl`);
}

export function readFixture(name: string): Labelled[] {
  return readLabelled(fixturePath(name));
}
