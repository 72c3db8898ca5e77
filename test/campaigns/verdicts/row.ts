/** One line of the table: a world that is lived many times, and what must hold over all those lives. */
export interface Row<Life = unknown> {
  readonly world: string;
  /** As the table says it. */
  readonly goal: string;
  /** Lives of the whole campaign, and of the shorter cut that the tests run. */
  readonly lives: number;
  readonly cut: number;
  /** Lives once. The same seed gives the same life. The result is plain JSON: it may come from another process. */
  readonly live: (seed: number) => Life | Promise<Life>;
  /** Lives a shorter life in the cut, where whole ones take too long. */
  readonly short?: (seed: number) => Life | Promise<Life>;
  readonly measure: (lives: readonly Life[]) => readonly Check[];
}

/** One number of a row beside its goal. */
export interface Check {
  readonly text: string;
  readonly reached: boolean;
  /** Reached with the leeway that the noise of few lives asks for: three standard errors. */
  readonly nearlyReached: boolean;
}

/** A row that forgets the type of its lives, so that rows of all kinds share one list. */
export function row<Life>(spec: Row<Life>): Row {
  return spec as unknown as Row; // `measure` is only given what `live` of the same row returned
}

/** Lives a row from one seed to the next. */
export async function liveThrough({ live }: Row, from: number, to: number): Promise<unknown[]> {
  const lives: unknown[] = [];
  for (let index = from; index < to; index++) lives.push(await live(index * 7919 + 13));
  return lives;
}

/** Checks that at least (or at most) a share of cases is as it should be. */
export function share(
  name: string,
  hits: number,
  of: number,
  goal: { readonly min: number } | { readonly max: number },
): Check {
  const value = of === 0 ? Number.NaN : hits / of;
  const text = `${name} ${percent(value)} (${hits} of ${of})`;
  if ('min' in goal)
    return { text, reached: value >= goal.min, nearlyReached: value >= goal.min - noiseOf(goal.min, of) };
  return { text, reached: value <= goal.max, nearlyReached: value <= goal.max + noiseOf(goal.max, of) };
}

/** Checks that the median of some numbers is at most so much. `Infinity` stands for what never happened. */
export function median(name: string, values: readonly number[], max: number): Check {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  // Three standard errors of a median's rank.
  const low = sorted[Math.max(0, Math.floor(sorted.length / 2 - 1.5 * Math.sqrt(sorted.length)))] ?? Number.NaN;
  return { text: `${name} ${short(value)} (median)`, reached: value <= max, nearlyReached: low <= max };
}

/** Checks that a count per life is at most so much on average. */
export function mean(name: string, values: readonly number[], max: number): Check {
  const of = values.length;
  const value = values.reduce((sum, one) => sum + one, 0) / of;
  const noise = 3 * Math.sqrt(Math.max(value, max) / of);
  return { text: `${name} ${short(value)} (mean)`, reached: value <= max, nearlyReached: value <= max + noise };
}

/**
 * Checks that a ratio of two sums over lives is at least (or at most) so much. The interval of 95 % comes from how the
 * lives differ. `leeway` is how far a few lives may miss the goal.
 */
export function ratio(
  name: string,
  lives: readonly { readonly part: number; readonly of: number }[],
  goal: ({ readonly min: number } | { readonly max: number }) & { readonly leeway: number },
): Check {
  const whole = lives.reduce((sum, { of }) => sum + of, 0);
  const value = lives.reduce((sum, { part }) => sum + part, 0) / whole;
  const squares = lives.reduce((sum, { part, of }) => sum + (part - value * of) ** 2, 0);
  const error = (1.96 * Math.sqrt((squares * lives.length) / (lives.length - 1))) / whole;
  const interval = lives.length > 1 ? ` (${percent(value - error)} to ${percent(value + error)})` : '';
  const over = 'min' in goal ? value - goal.min : goal.max - value;
  return { text: `${name} ${percent(value)}${interval}`, reached: over >= 0, nearlyReached: over >= -goal.leeway };
}

/** Shows a number that no goal is set for. */
export function shown(name: string, value: number): Check {
  return { text: `${name} ${short(value)}`, reached: true, nearlyReached: true };
}

function noiseOf(goal: number, of: number): number {
  return 3 * Math.sqrt(Math.max(goal * (1 - goal), 1 / of) / of);
}

function percent(value: number): string {
  return Number.isNaN(value) ? 'none' : `${(value * 100).toFixed(1)} %`;
}

function short(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(3))) : 'never';
}
