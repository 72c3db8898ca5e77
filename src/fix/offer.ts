import type { Change } from '../contract/change.js';
import type { Fix } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { UnitKind } from '../contract/trial.js';

/** Input of a forecast. */
export interface ForecastRequest {
  /** Share of tasks that fail with the issue of the fix; `failing` is the share that fails in any way. */
  readonly rate: number;
  readonly failing?: number;
  /** Whether a trial uses only tasks on which the change can act. */
  readonly isTriggered?: boolean;
  readonly perDay: number;
  readonly observedDays: number;
  readonly unit: UnitKind;
  readonly attempt: number;
}

/** Possible change for a pattern: the data to check it for conflicts, and a function that builds the proposal. */
export interface Offer {
  readonly id: FixId;
  readonly target: string;
  readonly change: Change;
  /** Whether it may be tried without a person. */
  readonly safe: boolean;
  /** Whether it comes from a user's catalog entry. */
  readonly isOwn: boolean;
  /** Question that a person has to answer before it can be tried. */
  readonly question?: string;
  readonly propose: () => Fix;
}
