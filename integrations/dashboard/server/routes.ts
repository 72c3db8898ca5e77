import { readSegment } from '../path-segment.js';
import type { Views } from '../views.js';

/** View that an address asks for. */
export interface AskedView {
  readonly name: keyof Views;
  readonly params: Readonly<Record<string, string>>;
}

/** Views by the first part of their path; `one` is that with an id behind it. */
const PATHS: Readonly<Record<string, { readonly all?: keyof Views; readonly one?: keyof Views }>> = {
  overview: { all: 'overview' },
  patterns: { all: 'patterns', one: 'pattern' },
  sessions: { all: 'sessions', one: 'session' },
  transcripts: { one: 'transcript' },
  trials: { all: 'trials' },
  fixes: { one: 'fix' },
  review: { all: 'review' },
  models: { all: 'models' },
  runs: { all: 'runs', one: 'run' },
  skills: { all: 'skills', one: 'skill' },
  worse: { all: 'worse' },
  benchmarks: { all: 'benchmarks', one: 'benchmark' },
  improvements: { one: 'improvement' },
  settings: { all: 'settings' },
  ledger: { all: 'ledger' },
  store: { all: 'store' },
};

/** Returns the view at a path below `api/`; undefined if there is none. */
export function viewAt(path: string, query: URLSearchParams): AskedView | undefined {
  const [folder = '', ...rest] = path.split('/');
  const found = Object.hasOwn(PATHS, folder) ? PATHS[folder] : undefined;
  const id = decoded(rest);
  const name = rest.length === 0 ? found?.all : found?.one;
  if (name === undefined || (rest.length > 0 && id === undefined)) return undefined;
  return { name, params: { ...Object.fromEntries(query), ...(id !== undefined && { id }) } };
}

/** Returns the id in the last part of a path; undefined without one, or if it is encoded wrongly. */
function decoded(parts: readonly string[]): string | undefined {
  const [part = ''] = parts;
  if (parts.length !== 1 || part === '') return undefined;
  try {
    return readSegment(decodeURIComponent(part));
  } catch {
    return undefined;
  }
}
