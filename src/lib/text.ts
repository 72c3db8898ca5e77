/** `0.0734` as `7.3 %`; `0.5` as `50 %`. */
export function percent(ratio: number): string {
  const value = ratio * 100;
  return `${value >= 10 || value === 0 ? Math.round(value) : value.toFixed(1)} %`;
}

/** What was thrown, in a text of bounded length; itself never throws. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).slice(0, 500);
  } catch {
    return 'something that cannot be shown';
  }
}
