import { version } from '../../../package.json';
import { waitingOf } from '../../reports/waiting.js';
import type { LoopStatus } from '../views.js';
import type { DataSource } from './source.js';

export function statusView(source: DataSource): LoopStatus {
  const { loop, nowMs, store, simulated, lastCycleMs, rebuilding, problems } = source;
  const stale = whyStale(source);
  const frozen = loop.frozen();
  const paused = loop.paused();
  return {
    nowMs,
    version,
    store,
    durability: loop.durability,
    simulated,
    ...(lastCycleMs !== undefined && { lastCycleMs }),
    ...(stale !== undefined && { stale }),
    ...(rebuilding && { rebuilding }),
    ...(frozen && { frozen }),
    ...(paused && { paused }),
    waiting: waitingOf(loop).fixes.length,
    problems,
  };
}

function whyStale({
  loop,
  store,
  isGone,
  report,
  rebuilding,
  isAgentRunning,
  lastCycleMs,
}: DataSource): string | undefined {
  if (isGone) return `The folder ${store} is gone. Put it back, or start the dashboard with its new path.`;
  if (loop.hasLostStore)
    return 'The store could not be read. Records are in memory and end with this process. See the problems below.';
  if (rebuilding) return 'Stored records are being read again. Figures appear when this is done.';
  if (report.unfinished !== undefined) return `The last reading failed: ${report.unfinished}. It is tried again.`;
  if (isAgentRunning) return undefined;
  const since = lastCycleMs === undefined ? '' : ' since the last cycle';
  return `No process runs a loop on this store, so nothing new is counted${since}. Start your agent, or run "rsi cycle".`;
}
