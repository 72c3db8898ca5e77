/** Share of recent tasks that succeed, with its interval. */
export interface HealthScore {
  /** 0 (broken) to 1 (healthy). */
  readonly score: number;
  /**
   * Lower end of the 95 % interval, based on how much earlier half-days varied.
   * The interval is 0 to 1 in the first two days, when there is too little data.
   */
  readonly low: number;
  readonly high: number;
  /** False if there is no data yet; the score is 1 then. */
  readonly known: boolean;
}

/** Share of successes, with an exponential weight on recent outcomes. */
export interface Health extends HealthScore {
  readonly byTask: Readonly<Record<string, HealthScore>>;
  readonly byModel: Readonly<Record<string, HealthScore>>;
  readonly bySource: Readonly<Record<string, HealthScore>>;
  readonly byService: Readonly<Record<string, HealthScore>>;
  readonly byVersion: Readonly<Record<string, HealthScore>>;
  readonly byRegion: Readonly<Record<string, HealthScore>>;
  readonly byHost: Readonly<Record<string, HealthScore>>;
}
