import type { Verb } from './verb.js';
import { analyze } from './verbs/analyze.js';

/** Every verb of `rsi`, in the order of its help. */
export const VERBS: readonly Verb[] = [analyze];
