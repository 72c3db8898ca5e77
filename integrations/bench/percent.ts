/** Formats `0.0734` as `7.3 %` and `0.5` as `50 %`. */
export function percent(ratio: number): string {
  const value = ratio * 100;
  return `${value >= 10 || value === 0 ? Math.round(value) : value.toFixed(1)} %`;
}
