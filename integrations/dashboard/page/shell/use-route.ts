import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { PageContext } from '../lib/page-context.js';
import { address, parseRoute, type QueryChange, type Route, withRange } from '../lib/route.js';

/** Time after which the address follows the query: browsers limit how often it may change. */
const ADDRESS_MS = 150;

/** Route of the page, in step with the address and the back button. */
export function useRoute(base: string): Pick<PageContext, 'route' | 'go' | 'setQuery'> {
  const [route, setRoute] = useState(() => routeNow(base));
  const latest = useRef(route);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const show = useCallback((next: Route) => {
    latest.current = next;
    setRoute(next);
  }, []);

  useEffect(() => {
    const follow = () => show(routeNow(base));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, [base, show]);

  const writeAddress = useCallback(() => {
    clearTimeout(timer.current);
    const { segments, query } = latest.current;
    history.replaceState(null, '', base + address(segments, query));
  }, [base]);

  const go = useCallback<PageContext['go']>(
    (asked, { replace = false } = {}) => {
      writeAddress();
      const target = withRange(asked, latest.current.query.range);
      const isOther =
        parseRoute(new URL(base + target, location.origin), base).segments.join('/') !==
        latest.current.segments.join('/');
      if (replace) history.replaceState(null, '', base + target);
      else history.pushState(null, '', base + target);
      show(routeNow(base));
      if (isOther && !replace) afterDrawing(showTop);
    },
    [base, show, writeAddress],
  );

  const setQuery = useCallback(
    (change: QueryChange) => {
      const { segments, query } = latest.current;
      const entries = Object.entries({ ...query, ...change });
      const kept = entries.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
      show({ segments, query: Object.fromEntries(kept) });
      clearTimeout(timer.current);
      timer.current = setTimeout(writeAddress, ADDRESS_MS);
    },
    [show, writeAddress],
  );
  return { route, go, setQuery };
}

function routeNow(base: string): Route {
  return parseRoute(new URL(location.href), base);
}

function afterDrawing(action: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(action));
}

/** Begins a new screen at its top, with the focus on its question so that screen readers read it. */
function showTop(): void {
  scrollTo(0, 0);
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}
