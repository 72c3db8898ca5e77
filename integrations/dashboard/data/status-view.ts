import { judgedParts } from 'rsi-loop/kit';
import { version } from '../../../package.json';
import { waitingOf } from '../../reports/waiting.js';
import type { LoopStatus } from '../views.js';
import type { DataSource } from './source.js';

export function statusView(source: DataSource): LoopStatus {
  const { loop, nowMs, store, folder, simulated, hasUnread, transcripts, lastCycleMs, rebuilding, problems } = source;
  const stale = whyStale(source);
  const frozen = loop.frozen();
  const paused = loop.paused();
  return {
    nowMs,
    version,
    store,
    ...(folder !== undefined && { folder }),
    durability: loop.durability,
    simulated,
    ...(lastCycleMs !== undefined && { lastCycleMs }),
    hasUnread,
    ...(transcripts && { transcripts }),
    ...(stale !== undefined && { stale }),
    ...(rebuilding && { rebuilding }),
    ...(frozen && { frozen }),
    ...(paused && { paused }),
    window: judgedParts(loop).analyzer.window(nowMs),
    waiting: waitingOf(loop).fixes.length,
    versionsWaiting: source.versionsWaiting,
    problems,
  };
}

function whyStale({
  loop,
  store,
  unfinished,
  isGone,
  rebuilding,
  hasUnread,
  lastCycleMs,
}: DataSource): string | undefined {
  if (isGone) return `The folder ${store} is gone. Put it back, or start the dashboard with its new path.`;
  if (loop.hasLostStore)
    return 'The store could not be read. Records are in memory and end with this process. See the problems below.';
  if (rebuilding) return 'Stored records are being read again. Figures appear when this is done.';
  if (unfinished !== undefined) return `The last reading failed: ${unfinished}. It is tried again.`;
  if (!hasUnread) return undefined;
  const since =
    lastCycleMs === undefined ? 'No cycle has counted these records' : 'Records were added after the last cycle';
  return `${since}, and no process runs a loop on this store. Count them now, or start your agent.`;
}
