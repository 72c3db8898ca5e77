import { type Json, redact } from 'rsi-loop';
import type { TextChange } from '../bench-views.js';

export type NamedValues = Readonly<Record<string, Json | undefined>>;

/** Returns the values that differ, without secrets. */
export function textChanges(before: NamedValues, after: NamedValues): readonly TextChange[] {
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    const [old, now] = [before, after].map((named) => (Object.hasOwn(named, name) ? (named[name] ?? null) : null));
    if (JSON.stringify(old) === JSON.stringify(now)) return [];
    return [{ name, before: readable(old), after: readable(now) }];
  });
}

function readable(value: Json = null): Json {
  return typeof value === 'string' ? redact(value) : value;
}
