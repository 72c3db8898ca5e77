export interface HealthScore {
  /** 0 (broken) to 1 (healthy). */
  readonly score: number;
  /** Of the 95 % interval, as wide as the half days before differ. 0 to 1 in the first two days: too short to know. */
  readonly low: number;
  readonly high: number;
  /** False while there is nothing to judge by; the score is 1 then. */
  readonly known: boolean;
}

/** Exponentially recency-weighted share of what went well. */
export interface Health extends HealthScore {
  readonly byTask: Readonly<Record<string, HealthScore>>;
  readonly byModel: Readonly<Record<string, HealthScore>>;
  readonly bySource: Readonly<Record<string, HealthScore>>;
}
