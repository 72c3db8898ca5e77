import { LoopError, type RSILoop, reportProblem, SystemClock } from 'rsi-loop';
import { DashboardData } from './data/dashboard-data.js';
import { type Dashboard, type MountOptions, mountViews } from './server/mount.js';

export type { Dashboard } from './server/mount.js';

export interface DashboardOptions extends MountOptions {
  readonly loop: RSILoop;
  /** Name that the page suggests for decisions. */
  readonly user?: string;
}

const KNOWN: ReadonlySet<string> = new Set<keyof DashboardOptions>([
  'loop',
  'prefix',
  'token',
  'decisionToken',
  'allowedHosts',
  'user',
  'assets',
  'clock',
]);

/**
 * Creates the dashboard of a loop. Pass the requests of your server to `handle`.
 * @throws LoopError `invalid-input` naming the invalid option.
 */
export function createDashboard({ loop, user, ...options }: DashboardOptions): Dashboard {
  const unknown = Object.keys(options).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) {
    throw new LoopError('invalid-input', `${unknown} is not an option: give one of ${[...KNOWN].join(', ')}`);
  }
  if (typeof loop?.begin !== 'function') throw new LoopError('invalid-input', 'loop is missing: give an RSILoop');
  const folder = folderOf(loop);
  const data = new DashboardData({
    loop,
    store: folder ?? 'memory',
    clock: options.clock ?? new SystemClock(),
    ...(folder !== undefined && { folder }),
    ...(user !== undefined && { user }),
  });
  return mountViews(data, options, {
    onProblem: (message) => reportProblem(loop, 'dashboard', message),
    linkAdvice: 'open dashboard.openPath of this server, or set its decisionToken',
  });
}

/** Returns the folder of a `FileStore`; undefined for other stores. */
function folderOf({ store }: RSILoop): string | undefined {
  return 'folder' in store && typeof store.folder === 'string' ? store.folder : undefined;
}
