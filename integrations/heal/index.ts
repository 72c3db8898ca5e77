/** `rsi-loop/heal`: functions whose failures are captured, repeated where that is allowed, and repaired by proposals. */

export { type Healed, heal } from './heal.js';
export type { HealingLoop, HealOptions, PatchOptions } from './heal-options.js';
export type { Healing } from './healer.js';
export type { Incident, Repair } from './incident.js';
export type { Power } from './powers.js';
