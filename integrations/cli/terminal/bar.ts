const BAR = 20;

/** Draws how much of a work is done: `[#####...............]`. */
export function bar(share: number): string {
  const full = Math.round(share * BAR);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR - full)}]`;
}
