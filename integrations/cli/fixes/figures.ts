import type { ArmFigures, TrialFigures } from 'rsi-loop';
import { percentOf, whole } from '../terminal/numbers.js';

/** `failed 12 of 145 with it, 10 of 131 without`. */
export function armsWords({ fix, control }: TrialFigures): string {
  return `failed ${failedOf(fix)} with it, ${failedOf(control)} without`;
}

function failedOf({ failures, tasks }: ArmFigures): string {
  return `${whole(failures)} of ${whole(tasks)}`;
}

/** `8.3`, or `-` where nothing was tried. */
export function rateOf({ failures, tasks }: ArmFigures): string {
  return tasks === 0 ? '-' : `${percentOf(failures / tasks)} %`;
}

/** `0.18`, `41`, `1,200`, `over a million`: evidence grows by multiplication, so its size tells and not its digits. */
export function evidence(value: number): string {
  if (value >= 1e6) return 'over a million';
  if (value >= 10) return whole(value);
  return value >= 0.005 ? value.toFixed(2) : 'almost 0';
}
