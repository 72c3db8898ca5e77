import { object } from '../check.js';

/** Settings of models that the loop may ask. */
// biome-ignore lint/suspicious/noEmptyInterface: its fields come with the feature.
export interface ModelsConfig {}

export const modelsCheck = object<ModelsConfig>({});
