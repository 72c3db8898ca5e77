import { useRef } from 'preact/hooks';
import type { PageContext } from '../lib/page-context.js';
import { useKeys } from '../lib/use-keys.js';
import { SCREENS } from './screens.js';

/** Time to press the letter after `g`. */
const PREFIX_MS = 1_500;

/** Keys that work on every screen: search, go to a screen, tables, help. */
export function usePageKeys(page: PageContext, showHelp: () => void): void {
  const prefixMs = useRef(Number.NEGATIVE_INFINITY);
  useKeys(({ key, timeStamp }) => {
    const isAfterG = timeStamp - prefixMs.current < PREFIX_MS;
    prefixMs.current = key === 'g' && !isAfterG ? timeStamp : Number.NEGATIVE_INFINITY;
    if (key === 'g') return true;
    return isAfterG ? goTo(key, page) : act(key, page, showHelp);
  });
}

function goTo(key: string, { go }: PageContext): boolean {
  const screen = SCREENS.find((one) => one.key === key);
  if (screen) go(screen.path);
  return screen !== undefined;
}

function act(key: string, { route: { query }, setQuery }: PageContext, showHelp: () => void): boolean {
  switch (key) {
    case '/':
      return focusSearch();
    case '?':
      showHelp();
      return true;
    case 't':
      setQuery({ charts: query.charts === undefined ? 'table' : undefined });
      return true;
    case 'Escape':
      setQuery({ from: undefined, to: undefined });
      return query.from !== undefined;
    default:
      return false;
  }
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]');
  field?.focus();
  field?.select();
  return field !== null;
}
