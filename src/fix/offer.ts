import type { Change } from '../contract/change.js';
import type { Fix } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { UnitKind } from '../contract/trial.js';

/** What a forecast is made from. */
export interface ForecastRequest {
  /** Share of tasks that fail as the fix is for, and in any way. */
  readonly rate: number;
  readonly failing?: number;
  /** Only tasks on which the change can act are bet on. */
  readonly isTriggered?: boolean;
  readonly perDay: number;
  readonly observedDays: number;
  readonly unit: UnitKind;
  readonly attempt: number;
}

/** A change somebody knows for a pattern: enough to see whether anything speaks against it, and the proposal when nothing does. */
export interface Offer {
  readonly id: FixId;
  readonly target: string;
  readonly change: Change;
  /** May be tried without a person. */
  readonly safe: boolean;
  /** An entry of the user's made it. */
  readonly isOwn: boolean;
  /** What a person has to answer before it can be tried. */
  readonly question?: string;
  readonly propose: () => Fix;
}
