import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { ViewName } from '../../views.js';
import { usePage } from './page-context.js';
import type { Kept } from './shelf.js';

interface ViewOptions {
  /** Whether the last answer stays until the one for a new path is there: for filters that the server applies. */
  readonly keepsLast?: boolean;
}

/** Returns a view of the server and keeps it up to date while the caller is shown. */
export function useView(path: string, view: ViewName, { keepsLast = false }: ViewOptions = {}): Kept {
  const { shelf } = usePage().client;
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => shelf.show(path, view, () => redraw(undefined)), [shelf, path, view]);
  const last = useRef<Kept>({});
  const kept = shelf.peek(path);
  if (kept.data !== undefined || kept.problem) last.current = kept;
  return keepsLast ? last.current : kept;
}
