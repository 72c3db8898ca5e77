import { readSegment, writeSegment } from '../../path-segment.js';
import { wellFormed } from './recorded-text.js';

/** Address of a view: path segments under the mount prefix, and the query. */
export interface Route {
  readonly segments: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** Changes to a query; undefined removes an entry. */
export type QueryChange = Readonly<Record<string, string | undefined>>;

/** Reads the route from an address below `base`, the mount prefix. */
export function parseRoute(url: URL, base: string): Route {
  const path = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : '';
  const segments = path.split('/').filter(Boolean).map(decoded);
  return { segments, query: Object.fromEntries(url.searchParams) };
}

/** Returns the address of a view relative to the mount prefix. */
export function address(segments: readonly string[], query: QueryChange = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, value);
  }
  const path = segments.map((segment) => encodeURIComponent(writeSegment(wellFormed(segment)))).join('/');
  const search = parameters.toString();
  return search === '' ? path : `${path}?${search}`;
}

/** Adds the time that the reader chose to an address that states none, so that it stays from screen to screen. */
export function withRange(target: string, range: string | undefined): string {
  if (range === undefined || /[?&]range=/.test(target)) return target;
  return `${target}${target.includes('?') ? '&' : '?'}${new URLSearchParams({ range })}`;
}

function decoded(segment: string): string {
  try {
    return readSegment(decodeURIComponent(segment));
  } catch {
    return segment;
  }
}
