import { object } from '../check.js';

/** Settings of processes that `rsi services` runs. */
// biome-ignore lint/suspicious/noEmptyInterface: its fields come with the feature.
export interface ServicesConfig {}

export const servicesCheck = object<ServicesConfig>({});
