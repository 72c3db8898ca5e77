/**
 * Exit codes: 0 done, 1 done but something needs attention, 2 unusable arguments or input, 130 interrupted from the
 * keyboard.
 */
export const EXIT = { done: 0, attention: 1, unusable: 2, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
