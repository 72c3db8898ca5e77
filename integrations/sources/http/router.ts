import type { Route } from './service.js';

/** Route of a request, with the parts of its path that the route names. */
export interface Matched {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

const NO_PARAMS = {};

/** Finds the route of a request. Paths match exactly; `HEAD` finds the routes of `GET`, except streams. */
export class Router {
  /** Routes by method and path, for paths without parameters. */
  readonly #exact = new Map<string, Matched>();
  /** Other routes, with the segments of their paths. */
  readonly #others: { readonly route: Route; readonly segments: readonly string[] }[] = [];

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const path = route.url.slice(1);
      if (path.includes(':')) this.#others.push({ route, segments: path.split('/') });
      else for (const method of methodsOf(route)) this.#exact.set(`${method} ${path}`, { route, params: NO_PARAMS });
    }
  }

  find(method: string | undefined, path: string): Matched | undefined {
    const exact = this.#exact.get(`${method} ${path}`);
    if (exact || !path.includes('/')) return exact;
    const segments = path.split('/');
    for (const { route, segments: expected } of this.#others) {
      const params = route.method === method ? paramsOf(segments, expected) : undefined;
      if (params) return { route, params };
    }
    return undefined;
  }
}

/** Returns the methods that a route answers. A `HEAD` request to an event stream would never be answered. */
export function methodsOf({ method, answers }: Route): readonly string[] {
  return method === 'GET' && !('text/event-stream' in answers.content) ? ['GET', 'HEAD'] : [method];
}

/** Returns the parameters of a path; undefined if it has other segments, or if a parameter is empty or encoded wrongly. */
function paramsOf(segments: readonly string[], expected: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== expected.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of expected.entries()) {
    const segment = segments[index] ?? '';
    if (!name.startsWith(':')) {
      if (segment !== name) return undefined;
      continue;
    }
    const value = decoded(segment);
    if (value === undefined || value === '') return undefined;
    params[name.slice(1)] = value;
  }
  return params;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
