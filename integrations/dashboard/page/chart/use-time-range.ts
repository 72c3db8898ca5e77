import { usePage } from '../lib/page-context.js';
import type { TimeRange } from './chart-data.js';

interface SelectedTime {
  readonly range: TimeRange | undefined;
  select(range: TimeRange): void;
  clear(): void;
}

/** Time that all charts of the screen show, as the address states it. */
export function useTimeRange(): SelectedTime {
  const { route, setQuery } = usePage();
  const fromMs = Number(route.query.from);
  const toMs = Number(route.query.to);
  return {
    range: toMs > fromMs ? { fromMs, toMs } : undefined,
    select: (range) => setQuery({ from: `${range.fromMs}`, to: `${range.toMs}` }),
    clear: () => setQuery({ from: undefined, to: undefined }),
  };
}
