import { object } from '../check.js';

/** Settings of `rsi ci`. */
// biome-ignore lint/suspicious/noEmptyInterface: its fields come with the feature.
export interface CiConfig {}

export const ciCheck = object<CiConfig>({});
