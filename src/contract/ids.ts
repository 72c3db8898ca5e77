declare const brand: unique symbol;

type Brand<Name extends string> = string & { readonly [brand]: Name };

/** Unique across processes; sorts by creation time. */
export type OutcomeId = Brand<'OutcomeId'>;

/** Derived from the pattern id, the kind of change and the target, never from the tuned values. */
export type FixId = Brand<'FixId'>;
