export { describeThrown } from '../lib/text.js';

/** Problem that the loop handled but that a person may want to know about. */
export interface Problem {
  /** Part that met the problem, e.g. `run.accept`. */
  readonly where: string;
  readonly message: string;
}

export type Report = (problem: Problem) => void;
