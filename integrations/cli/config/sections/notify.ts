import { object } from '../check.js';

/** Settings of alerts. */
// biome-ignore lint/suspicious/noEmptyInterface: its fields come with the feature.
export interface NotifyConfig {}

export const notifyCheck = object<NotifyConfig>({});
