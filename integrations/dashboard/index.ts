import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, LoopError, type RSILoop, reportProblem, SystemClock } from 'rsi-loop';
import { readSecret } from '../http/secret.js';
import { DashboardData } from './data/dashboard-data.js';
import { DashboardServer } from './server/dashboard-server.js';
import { type LiveOptions, LiveViews } from './server/live-views.js';
import { randomId } from './server/sessions.js';

export type { DecisionRequest, DecisionVerb, FixRow } from './views.js';

export interface DashboardOptions {
  readonly loop: RSILoop;
  /** Path that the dashboard is mounted on. Begins and ends with `/`. Default `/`. */
  readonly prefix?: string;
  /**
   * Token that a person enters to sign in; at least 16 characters. Without it, the dashboard serves its own machine
   * only.
   */
  readonly token?: string;
  /**
   * Token that a person enters to decide; at least 16 characters. Default: `token`. Without either, the dashboard creates
   * one for `openPath`, because every user of a machine can reach its loopback address. Simulated data needs none.
   */
  readonly decisionToken?: string;
  /** Host names of the server besides `localhost` and loopback addresses, such as `rsi.internal`. */
  readonly allowedHosts?: readonly string[];
  /** Name of the store as the page shows it. Default: its folder, or `memory`. */
  readonly store?: string;
  /** Whether the data is simulated; every screen says so then. Default false. */
  readonly simulated?: boolean;
  /** Name that the page suggests for decisions. */
  readonly user?: string;
  /** Makes decisions in place of `loop`, if that only reads its store. */
  readonly decide?: LiveOptions['decide'];
  /** Returns why the store cannot be read now, and what to do. The page shows this with the last figures. */
  readonly whyUnreadable?: LiveOptions['whyUnreadable'];
  /** Folder with the files of the page. Default: that of the package. */
  readonly assets?: string;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
}

/** Dashboard of one loop, for any HTTP server of Node. */
export interface Dashboard {
  /**
   * Path to open in a browser. If the dashboard created the token for decisions, the path contains it, and opening it
   * signs in.
   */
  readonly openPath: string;
  /** Answers a request below the prefix. Returns false, and does nothing, for any other. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** Ends event streams and reading. The loop and the server stay open. */
  close(): Promise<void>;
}

const KNOWN: ReadonlySet<string> = new Set<keyof DashboardOptions>([
  'loop',
  'prefix',
  'token',
  'decisionToken',
  'allowedHosts',
  'store',
  'simulated',
  'user',
  'decide',
  'whyUnreadable',
  'assets',
  'clock',
]);

/**
 * Creates the dashboard of a loop. Pass the requests of your server to `handle`.
 * @throws LoopError `invalid-input` naming the invalid option.
 */
export function createDashboard(options: DashboardOptions): Dashboard {
  for (const name of Object.keys(options)) {
    if (!KNOWN.has(name)) throw wrong(name, 'is not an option', `give one of ${[...KNOWN].join(', ')}`);
  }
  const { loop, prefix = '/', allowedHosts = [], simulated = false, clock = new SystemClock() } = options;
  if (typeof loop?.begin !== 'function') throw wrong('loop', 'is missing', 'give an RSILoop');
  if (!/^\/(?:[\w.~-]+\/)*$/.test(prefix))
    throw wrong('prefix', `is ${JSON.stringify(prefix)}`, 'give a path such as /dashboard/');
  const folder = folderOf(loop);
  const store = options.store ?? folder ?? 'memory';
  const data = new DashboardData({ loop, store, simulated, clock, ...(folder !== undefined && { folder }) });
  const token = readSecret('token', options.token);
  const given = readSecret('decisionToken', options.decisionToken);
  const created = token === undefined && given === undefined && !simulated ? randomId() : undefined;
  const { user, decide, whyUnreadable } = options;
  const server = new DashboardServer(new LiveViews({ loop, data, clock, user, decide, whyUnreadable }), {
    prefix,
    token,
    decisionToken: given ?? created,
    allowedHosts: new Set(allowedHosts.map((host) => host.toLowerCase())),
    assets: options.assets,
    clock,
    onProblem: (message) => reportProblem(loop, 'dashboard', message),
  });
  return {
    openPath: created === undefined ? prefix : `${prefix}open/${created}`,
    handle: (request, response) => server.handle(request, response),
    close: () => server.close(),
  };
}

/** Returns the folder of a `FileStore`; undefined for other stores. */
function folderOf({ store }: RSILoop): string | undefined {
  return 'folder' in store && typeof store.folder === 'string' ? store.folder : undefined;
}

function wrong(name: string, what: string, advice: string): LoopError {
  return new LoopError('invalid-input', `${name} ${what}: ${advice}`);
}
