/** Formats `15871` as `15,871`. */
export function whole(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 0 });
}

/** Formats `0.0734` as `7.3 %` and `0.5` as `50 %`. */
export function percent(ratio: number): string {
  const value = ratio * 100;
  return `${value >= 10 || value === 0 ? Math.round(value) : value.toFixed(1)} %`;
}

/** Formats a rate with its number of cases, e.g. `17 % of 1,489`. */
export function shareOf({ value, of }: { readonly value: number; readonly of: number }): string {
  return `${percent(value)} of ${whole(of)}`;
}

/**
 * Returns a short text for any thrown value: its message, or the value itself if it is primitive.
 * Never throws. Does not call the value's `toString`, which may be hostile.
 */
export function messageOf(error: unknown): string {
  if (typeof error !== 'object' && typeof error !== 'function') return String(error).slice(0, MAX_MESSAGE);
  if (error === null) return 'null';
  return textField(error, 'message') ?? 'something that cannot be shown';
}

/** Returns the class and the message of any thrown value, as in `TypeError: x is not a function`. Never throws. */
export function describeThrown(error: unknown): string {
  const name = typeof error === 'object' && error !== null ? textField(error, 'name') : undefined;
  return `${name === undefined ? '' : `${name}: `}${messageOf(error)}`.slice(0, 200);
}

/** Returns a short text for a host's value in an error message, e.g. `"gpt"`, `7` or `an object`. Never throws. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value).slice(0, 80);
  return isList(value) ? 'a list' : 'an object';
}

const MAX_MESSAGE = 500;

function textField(object: object, name: string): string | undefined {
  try {
    const text: unknown = Reflect.get(object, name);
    return typeof text === 'string' ? text.slice(0, MAX_MESSAGE) : undefined;
  } catch {
    return undefined; // a proxy or a getter that throws
  }
}

function isList(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false; // a revoked proxy
  }
}
