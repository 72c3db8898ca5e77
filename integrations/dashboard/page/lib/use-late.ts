import { useEffect, useState } from 'preact/hooks';

/** Returns whether the caller has been shown for `delayMs`. */
export function useLate(delayMs: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return isLate;
}
