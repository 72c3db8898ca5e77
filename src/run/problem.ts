/** Something this room coped with and a person may want to know. */
export interface Problem {
  /** Which part met it, e.g. `run.accept`. */
  readonly where: string;
  readonly message: string;
}

export type Report = (problem: Problem) => void;

/** Runs code of the host or of another room, whose failure must not become the task's. */
export function guarded<Value>(report: Report, where: string, fallback: Value, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    report({ where, message: `threw ${describeThrown(error)}` });
    return fallback;
  }
}

/** A short text for anything thrown, itself unable to throw. */
export function describeThrown(error: unknown): string {
  try {
    return String(error).slice(0, 200);
  } catch {
    return 'something that cannot be shown';
  }
}
