import type { Fix } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import type { Pattern } from '../../src/contract/pattern.js';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import { MemoryStore } from '../../src/defaults/memory-store.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import type { CycleContext } from '../../src/judge/cycle-context.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { policyOnly } from '../fix/fixtures.js';

export interface CycleParts {
  readonly patterns?: readonly Pattern[];
  readonly tasks?: readonly TaskStatistics[];
  /** Components that a step uses in addition, or instead. */
  readonly more?: object;
}

/** One cycle of a loop whose ledger has these fixes, at the time 1,000,000. */
export async function cycleWith(fixes: readonly Fix[], { patterns = [], tasks = [], more = {} }: CycleParts = {}) {
  const log = new MemoryStore().ledger;
  const ledger = new Ledger(log);
  await ledger.append(() => fixes.map((fix): LedgerEntry => ({ kind: 'fix-proposed', atMs: 1, by: 'auto', fix })));
  const problems: string[] = [];
  const now = {
    ...{ ledger, atMs: 1_000_000, patterns, kinds: new ChangeKinds([policyOnly()]) },
    seen: new Map(patterns.map((pattern) => [pattern.id, pattern])),
    tasks: new Map(tasks.map((task) => [task.task, task])),
    analyzer: { resolve: (id: string) => id },
    report: ({ message }: { message: string }) => problems.push(message),
    ...more,
    asks: true,
  } as unknown as CycleContext; // the parts that the step under test reads
  const from = ledger.length;
  return {
    ...{ now, ledger, problems },
    status: (id: string) => ledger.state.fixes.get(id as FixId)?.status,
    /** Returns the entries that the step wrote. */
    written: async () => {
      const entries: LedgerEntry[] = [];
      for await (const { entry } of log.read(from)) entries.push(entry);
      return entries;
    },
  };
}
