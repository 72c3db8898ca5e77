import { useRef } from 'preact/hooks';
import type { PageContext } from '../lib/page-context.js';
import { useKeys } from '../lib/use-keys.js';
import { SCREENS } from './screens.js';

/** Time to press the letter after `g`. */
const PREFIX_MS = 1_500;

/** Keys that work on every screen: search, go to a screen, help. */
export function usePageKeys({ go, setQuery, route }: PageContext, showHelp: () => void): void {
  const prefixMs = useRef(Number.NEGATIVE_INFINITY);
  useKeys(({ key, timeStamp }) => {
    const isAfterG = timeStamp - prefixMs.current < PREFIX_MS;
    prefixMs.current = key === 'g' && !isAfterG ? timeStamp : Number.NEGATIVE_INFINITY;
    if (isAfterG) {
      const screen = SCREENS.find((one) => one.key === key);
      if (screen) go(screen.path);
      return screen !== undefined;
    }
    if (key === '?') showHelp();
    else if (key === 't') setQuery({ charts: route.query.charts === undefined ? 'table' : undefined });
    else if (key === '/') return focusSearch();
    else if (key === 'Escape' && route.query.from !== undefined) setQuery({ from: undefined, to: undefined });
    else return key === 'g';
    return true;
  });
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]');
  field?.focus();
  field?.select();
  return field !== null;
}
