import type { Fix } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';

/** A proposed fix that retries network failures twice. */
export function proposedFix(id: string): Fix {
  return {
    id: id as FixId,
    patternId: 'pattern-1',
    task: 'api_call',
    issue: 'network',
    target: 'retries.network',
    change: {
      kind: 'policy',
      scope: { task: 'api_call' },
      set: { 'retries.network': 2 },
      undo: { 'retries.network': 0 },
    },
    unit: 'task',
    status: 'proposed',
    safe: true,
    reason: 'usually transient',
    forecast: { kind: 'testable', tasks: 300, days: 1 },
    attempt: 1,
    proposedMs: 1,
    changedMs: 1,
    decision: { kind: 'waiting', sinceMs: 1 },
  };
}
