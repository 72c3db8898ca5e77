import type { Fix, FixStatus } from 'rsi-loop';

const IN_FORCE: readonly FixStatus[] = ['confirmed', 'applied-unverified', 'reopened'];

/** Returns whether every task in scope gets the fix. */
export function isInForce({ status }: Pick<Fix, 'status'>): boolean {
  return IN_FORCE.includes(status);
}
