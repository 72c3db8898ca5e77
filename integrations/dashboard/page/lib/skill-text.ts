import type { SkillRow, SkillState } from '../../skill-views.js';
import type { Tone } from '../parts/state.js';
import { wilson } from './wilson.js';

/** Colour of each state; the state itself is the word. */
export const TONES: Readonly<Record<SkillState, Tone>> = {
  working: 'confirmed',
  instructions: 'quiet',
  untested: 'waits',
  failed: 'failing',
  deprecated: 'quiet',
  'held back': 'failing',
};

/** Returns the share of calls that succeeded, with its 95 % interval. */
export function successOf({ calls, failures }: Pick<SkillRow, 'calls' | 'failures'>) {
  const { low, high } = wilson(failures, calls);
  return { value: calls === 0 ? 0 : 1 - failures / calls, low: 1 - high, high: 1 - low };
}
