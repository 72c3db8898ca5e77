import type { Trial } from '../contract/trial.js';
import type { TrialFigures } from '../contract/verdict.js';

/** Rise of control's failures since the trial began, as a part of the fix's gain, from which a ramp follows. */
const TAKEN = 0.25;
/** Standard errors of that rise that count as chance. */
const CHANCE = 1;

type Figures = Pick<TrialFigures, 'control' | 'effect'>;

/** Returns the failures per task that the fix prevents, as the bet has found. */
export function gainOf({ control, effect }: Figures): number {
  return control.tasks > 0 ? Math.max(0, (control.failures / control.tasks) * (1 - effect.value)) : 0;
}

/**
 * Returns whether the fix may gain at the cost of control: what tasks share may carry it, and control fails more than
 * before the trial.
 */
export function mayTakeFromControl({ levelMs, past }: Trial, figures: Figures): boolean {
  const { control } = figures;
  if (levelMs === undefined || past.tasks === 0 || control.tasks === 0) return false;
  const rate = control.failures / control.tasks;
  const error = Math.sqrt(rate * (1 - rate) * (1 / control.tasks + 1 / past.tasks));
  return rate - past.failures / past.tasks > TAKEN * gainOf(figures) + CHANCE * error;
}
