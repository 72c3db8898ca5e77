import type { CheckSpec, Problem, ProblemResult } from 'rsi-loop/bench';

/** Problem as it is written to a file. */
export type FileProblem = Omit<Problem, 'check'> & { readonly check?: CheckSpec };

/** Recorded runs of one version of an agent. */
export interface RecordedRuns {
  /** Name of the version: a model or a variant. Empty if the file names none. */
  readonly version: string;
  readonly runs: readonly ProblemResult[];
}

/** Item that was not taken over as it is. */
export interface ImportNote {
  /** `skipped`: it became no problem or result. `changed`: it became one that differs. */
  readonly kind: 'skipped' | 'changed';
  /** Name of the test, sample or file. */
  readonly item: string;
  readonly reason: string;
}

/** Content of a file of another tool. */
export interface Imported {
  readonly problems: readonly FileProblem[];
  readonly recorded: readonly RecordedRuns[];
  readonly notes: readonly ImportNote[];
}

/** Returns a function that makes names unique: the second `a` becomes `a 2`. */
export function uniqueNames(): (name: string) => string {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return (name) => {
    let [count, unique] = [counts.get(name) ?? 0, name];
    do {
      count++;
      unique = count === 1 ? name : `${name} ${count}`;
    } while (used.has(unique));
    counts.set(name, count);
    used.add(unique);
    return unique;
  };
}

/** Returns an expression that matches exactly this text. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
