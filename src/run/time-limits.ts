import type { Report } from './problem.js';

/** Returns the shorter of two limits, where 0 means none. */
export function shorter(one: number, other: number): number {
  return one > 0 && other > 0 ? Math.min(one, other) : Math.max(one, other);
}

/** Returns the time-out that the host gave for a task; 0 means none. Reports and ignores an invalid one. */
export function readTimeout(timeoutMs: number | undefined, report: Report): number {
  if (timeoutMs === undefined || timeoutMs === 0) return 0;
  if (timeoutMs > 0 && Number.isFinite(timeoutMs)) return timeoutMs;
  report({ where: 'run.timeoutMs', message: `timeoutMs is ${timeoutMs}: it was ignored; give milliseconds above 0` });
  return 0;
}
