import { useEffect, useState } from 'preact/hooks';

/** Returns the value once it has stayed the same for `delayMs`, so that typing does not ask the server for each letter. */
export function useSettled<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
