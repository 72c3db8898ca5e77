/** Returns the budget that a trial at this level holds while it runs, with so many fixes confirmed before it. */
export function chargeOf(level: number, confirmed: number): number {
  return level / (confirmed + 1) / (1 - level);
}

/** Returns the part of a charge that an unconfirmed trial returns, from its e-value at the end. */
export function refundOf(charge: number, eHelp: number): number {
  return charge * Math.min(1, Math.max(0, eHelp));
}
