/**
 * Returns the whole signature as 16 hexadecimal digits. Built digit by digit, because `toString(16)` takes ten times as
 * long.
 */
export function signatureHex(high: number, low: number): string {
  return eightDigits(high) + eightDigits(low);
}

function eightDigits(half: number): string {
  return String.fromCharCode(
    digit(half >>> 28),
    digit(half >>> 24),
    digit(half >>> 20),
    digit(half >>> 16),
    digit(half >>> 12),
    digit(half >>> 8),
    digit(half >>> 4),
    digit(half),
  );
}

function digit(bits: number): number {
  const value = bits & 15;
  return value + (value < 10 ? 48 : 87);
}
