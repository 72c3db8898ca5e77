import type { StoreView } from '../views.js';
import type { DataSource } from './source.js';

/** Returns the report of `rsi doctor`, which may be a minute old. */
export async function storeView({ loop, checks, nowMs }: DataSource): Promise<StoreView> {
  if (loop.hasLostStore) return { facts: [], findings: [LOST] };
  return checks.view(nowMs);
}

const LOST = {
  level: 'attention',
  message: 'The store could not be read when the loop started. Records are in memory since then.',
  advice: 'Run "rsi doctor" on the folder, repair what it names, and start the process again.',
} as const;
