import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import wrong from './wrong.json' with { type: 'json' };

/** Mistakes by problem: what is wrong, and the text of the reference that is replaced. */
const MISTAKES: Readonly<Record<string, readonly Mistake[]>> = wrong;

interface Mistake {
  readonly what: string;
  readonly find: string;
  readonly replace: string;
}

export function referenceOf(id: string): string {
  return readFileSync(join(import.meta.dirname, `${id}.ts`), 'utf8');
}

/** Returns three wrong solutions of a problem, by what is wrong. Bugs to mend are one of them. */
export function wrongSolutions(id: string, input: string): ReadonlyMap<string, string> {
  const reference = referenceOf(id);
  const solutions = new Map<string, string>();
  for (const { what, find, replace } of MISTAKES[id] ?? []) {
    if (!reference.includes(find)) throw new Error(`the reference of ${id} does not contain ${find}`);
    solutions.set(
      what,
      reference.replace(find, () => replace),
    );
  }
  const [, bug] = /```ts\n([\s\S]*?)```/.exec(input) ?? [];
  if (bug !== undefined) solutions.set('leaves the bug', bug);
  return solutions;
}
