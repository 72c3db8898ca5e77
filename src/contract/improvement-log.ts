/** Store of the finished steps of an improvement, so that an interrupted one continues after the last one. */
export interface ImprovementLog<Step extends object> {
  /** Returns the steps of an improvement in the order in which they were added. */
  load(improvement: string): Promise<readonly Step[]>;
  /** Resolves when the step is as durable as this log can make it. */
  add(improvement: string, step: Step): Promise<void>;
}
