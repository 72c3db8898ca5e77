import { LoopError, type RSILoop, reportProblem, SystemClock } from 'rsi-loop';
import { KeptRuns } from '../reports/kept-runs.js';
import { benchFolder } from './data/bench-source.js';
import { DashboardData } from './data/dashboard-data.js';
import { runFolderPlace } from './data/run-folder-place.js';
import { skillFolder } from './data/skill-source.js';
import { type Dashboard, type MountOptions, mountViews } from './server/mount.js';

export type { Dashboard } from './server/mount.js';

/** Options of the dashboard. */
export interface DashboardOptions extends MountOptions {
  readonly loop: RSILoop;
  /** Folder with results of `rsi bench` and `rsi improve` to show. */
  readonly bench?: string;
  /** Folder with runs of `orchestrate()` to show. */
  readonly runs?: string;
  /** Folder of skills to show, such as `./.agents/skills`. */
  readonly skills?: string;
  /** Name that the page suggests for decisions. */
  readonly user?: string;
}

const KNOWN: ReadonlySet<string> = new Set<keyof DashboardOptions>([
  'loop',
  'bench',
  'runs',
  'skills',
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
export function createDashboard({ loop, bench, runs, skills, user, ...options }: DashboardOptions): Dashboard {
  const unknown = Object.keys(options).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) {
    throw new LoopError('invalid-input', `${unknown} is not an option: give one of ${[...KNOWN].join(', ')}`);
  }
  if (typeof loop?.begin !== 'function') throw new LoopError('invalid-input', 'loop is missing: give an RSILoop');
  const folder = folderOf(loop);
  const data = new DashboardData({
    loop,
    clock: options.clock ?? new SystemClock(),
    ...(folder !== undefined && { folder }),
    ...(bench !== undefined && { bench: benchFolder(bench) }),
    ...(runs !== undefined && { runs: new KeptRuns(runFolderPlace(runs)) }),
    ...(skills !== undefined && { skills: skillFolder(skills) }),
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
