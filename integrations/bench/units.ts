import { addTo } from 'rsi-loop/kit';
import type { Problem } from './problem.js';

/** Problems of a benchmark as they are drawn: those of one group together, and all others on their own. */
export class Units {
  readonly #units = new Map<string, Problem[]>();
  readonly #problems: number;

  constructor(problems: readonly Problem[]) {
    this.#problems = problems.length;
    for (const problem of problems) addTo(this.#units, unitOf(problem), problem);
  }

  /** Returns all problems that are drawn with this one. */
  of(problem: Problem): readonly Problem[] {
    return this.#units.get(unitOf(problem)) ?? [problem];
  }

  /** Returns the chance that a draw has this unit: its share of the problems. */
  shareOf(unit: string): number {
    return (this.#units.get(unit)?.length ?? 1) / this.#problems;
  }

  /** Number of problems in the largest unit. */
  get largest(): number {
    return Math.max(...Array.from(this.#units.values(), ({ length }) => length));
  }

  /** Mean number of problems in a draw. */
  get meanSize(): number {
    return Array.from(this.#units.values()).reduce((sum, { length }) => sum + length ** 2, 0) / this.#problems;
  }
}

/** Returns the name of the unit of a problem. */
export function unitOf({ id, group }: Pick<Problem, 'id' | 'group'>): string {
  return group === undefined ? id : `\0${group}`; // no id has this letter by accident
}
