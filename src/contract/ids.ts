declare const brand: unique symbol;

type Brand<Name extends string> = string & { readonly [brand]: Name };

/** Unique across processes; sorts by the time it was made. */
export type OutcomeId = Brand<'OutcomeId'>;

/** Pattern id + kind of change + target; never the tuned values. */
export type FixId = Brand<'FixId'>;
