export { describeThrown } from '../lib/text.js';

/** Something that went wrong, was handled, and that a person may want to know. */
export interface Problem {
  /** The part that met it, e.g. `run.accept`. */
  readonly where: string;
  readonly message: string;
}

export type Report = (problem: Problem) => void;
