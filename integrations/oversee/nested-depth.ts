import type { SpawnOptions } from './process-groups.js';

/** Variable that says how many supervised runs may be inside each other in a process. */
const VARIABLE = 'RSI_OVERSEE_DEPTH';

/** Returns how many runs may be inside each other here, as the run says that started this process. */
export function inheritedDepth(): number {
  const value = globalThis.process?.env?.[VARIABLE] ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) : Infinity;
}

/** Passes the depth that is left on to a process. */
export function passDepth(options: SpawnOptions, depth: number): SpawnOptions {
  return depth === Infinity
    ? options
    : { ...options, env: { ...(options.env ?? process.env), [VARIABLE]: String(depth) } };
}
