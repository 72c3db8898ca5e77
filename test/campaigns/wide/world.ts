import { MemoryStore } from 'rsi-loop';
import type { Fix, FixStatus } from '../../../src/contract/fix.js';
import type { FixId, OutcomeId } from '../../../src/contract/ids.js';
import type { LedgerEntry } from '../../../src/contract/ledger-entry.js';
import type { Outcome } from '../../../src/contract/outcome.js';

export const TASKS = 2_000;
const MODELS = 500;
const START_MS = 1_767_225_600_000;
const WORDS = ['gateway', 'cursor', 'ticket', 'ledger', 'parser', 'socket', 'bucket', 'vector'];

/** Returns a name without digits: the loop counts names with ids together. */
function taskName(number: number): string {
  return `task-${[...number.toString()].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
}

/** Outcome number `index` of a wide world: 2,000 tasks, 500 models, five wordings of failure, every tenth task fails. */
export function wideOutcome(index: number, stepMs = 50): Outcome {
  const mixed = mix(index + 1);
  const outcome = {
    id: `o${index}` as OutcomeId, // made up here, so no maker brands it
    task: taskName(mixed % TASKS),
    atMs: START_MS + index * stepMs,
    source: 'generic',
    model: `model-${(mixed >>> 7) % MODELS}`,
    session: `session-${Math.floor(index / 20)}`,
    durationMs: 50 + ((mixed >>> 14) % 1_000),
    managed: true,
  };
  if ((mixed >>> 4) % 10 !== 0) return { ...outcome, success: true, issues: [] };
  const word = WORDS[(mixed >>> 16) % 5] ?? '';
  return {
    ...outcome,
    success: false,
    issues: ['network'],
    error: { message: `${word} refused after ${mixed % 999} ms` },
  };
}

/** Spreads neighbouring numbers over 32 bits, so that task, model and end of an outcome have nothing to do with each other. */
function mix(number: number): number {
  const once = Math.imul(number ^ (number >>> 16), 0x45d9f3b);
  const twice = Math.imul(once ^ (once >>> 16), 0x45d9f3b);
  return (twice ^ (twice >>> 16)) >>> 0;
}

/** A store that holds the decisions on so many fixes, each of them proposed, refused and finished. */
export async function storeWithFinished(fixes: number, maxRecords = 2_000_000): Promise<MemoryStore> {
  const store = new MemoryStore({ maxRecords });
  const entries = Array.from({ length: fixes }, (_, index) => finished(index)).flat();
  if (entries.length > 0) await store.ledger.append(entries, await store.ledger.head());
  return store;
}

function finished(index: number): readonly LedgerEntry[] {
  const fix = proposal(index);
  const move = (to: FixStatus): LedgerEntry => ({
    kind: 'fix-moved',
    atMs: START_MS,
    by: 'somebody',
    fixId: fix.id,
    to,
    reason: 'not wanted',
  });
  return [{ kind: 'fix-proposed', atMs: START_MS, by: 'auto', fix }, move('rejected')];
}

/** Every other one is a setting, the others are rules. */
function proposal(index: number): Fix {
  const task = taskName(index % TASKS);
  const scope = { task };
  const id = `fix-${index}` as FixId; // made up here, so no maker brands it
  return {
    id,
    patternId: `pattern-${index}`,
    task,
    issue: 'tool_failure',
    target: index % 2 === 0 ? 'retries.network' : 'AGENTS.md',
    change:
      index % 2 === 0
        ? { kind: 'policy', scope, set: { 'retries.network': 2 }, undo: { 'retries.network': 0 } }
        : {
            kind: 'rule',
            scope,
            file: 'AGENTS',
            text: `Read the page of task ${index} first.`,
            undo: { removeRule: id },
          },
    unit: 'task',
    status: 'proposed',
    safe: false,
    reason: 'made up',
    forecast: { kind: 'testable', tasks: 300, days: 1 },
    attempt: 1,
    proposedMs: START_MS,
    changedMs: START_MS,
    decision: { kind: 'waiting', sinceMs: START_MS },
  };
}
