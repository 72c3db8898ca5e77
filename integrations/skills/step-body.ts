/** Step of a log without its time, which the log's writer adds. */
export type StepBody<Step> = Step extends unknown ? Omit<Step, 'atMs'> : never;
