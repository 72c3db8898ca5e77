import type { ViewName } from '../../views.js';
import { usePage } from './page-context.js';
import { address, type QueryChange } from './route.js';
import type { Kept } from './shelf.js';
import { useView } from './use-view.js';

/** Returns a view for the time that the reader chose. The last one stays until the new one is there. */
export function usePeriodView(segments: readonly string[], view: ViewName, query: QueryChange = {}): Kept {
  const { range } = usePage().route.query;
  return useView(address(segments, { ...query, range }), view, { keepsLast: true });
}
