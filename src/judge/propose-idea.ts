import type { Change } from '../contract/change.js';
import type { Fix } from '../contract/fix.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import { buildFix } from '../fix/build-fix.js';
import { fixIdOf } from '../fix/fix-id.js';
import { failuresOfIdea } from '../fix/ideas.js';
import { trialsFor } from '../ledger/trial-counts.js';
import type { Components } from './components.js';

/** Change that a person wants to try. */
interface Idea {
  readonly target: string;
  readonly change: Change;
  readonly by: string;
  readonly reason: string;
}

/** Proposes a person's change for all failures of a task. It waits for approval like every proposal. */
export async function proposeIdea(
  { ledger, clock, kinds, repeats, forecastOf }: Components,
  task: TaskStatistics,
  { target, change, by, reason }: Idea,
): Promise<Fix> {
  const pattern = failuresOfIdea(task);
  const atMs = clock.now();
  const fix = buildFix(
    {
      id: fixIdOf(pattern.id, change.kind, target),
      kind: kinds.of(change),
      proposal: { target, change, details: () => ({ reason }) },
      facts: { pattern, task, advised: task.advised },
      attempt: trialsFor(ledger.state.trials, pattern) + 1,
      nowMs: atMs,
    },
    { kinds, repeats, forecast: forecastOf },
  );
  await ledger.append(() => [{ kind: 'fix-proposed', atMs, by, fix }]);
  return ledger.state.fixes.get(fix.id) ?? fix;
}
