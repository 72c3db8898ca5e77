import { RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import type { JournalRecord } from '../../src/contract/journal-record.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import { MemoryJournal } from '../../src/defaults/memory-journal.js';
import { Judge } from '../../src/judge/judge.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { seededRandom } from '../../src/lib/random.js';
import { ArmBet } from '../../src/verify/arm-bet.js';

/** Parts of the way, in the order in which an outcome passes them. */
const PARTS = ['stored', 'asked', 'cycle', 'bet', 'verdict'] as const;
/** Files of the functions whose callers are read. */
const CALLED = { stored: 'src/defaults/memory-journal.ts', bet: 'src/verify/arm-bet.ts' };
/** Cycles in which the trial of this world must end. */
const MOST_CYCLES = 60;
const TASKS_PER_CYCLE = 25;

/**
 * Returns the files of `src` that call one another from `recordSimple` to the ledger entry of a verdict, in the order in
 * which an outcome passes them. Reads them from the stacks of a loop that runs.
 */
export async function wayOfAnOutcome(): Promise<readonly string[]> {
  const stacks = new Map<string, string>();
  const note = (part: (typeof PARTS)[number], stack: string) => {
    if (!stacks.has(part)) stacks.set(part, stack);
  };
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const undo = [
    onCall(MemoryJournal.prototype, 'append', ([record]: JournalRecord[][], stack) => {
      if (record?.[0]?.kind === 'outcome') note('stored', stack);
    }),
    onCall(Judge.prototype, 'cycle', (_, stack) => note('asked', stack)),
    onCall(Ledger.prototype, 'append', (args: unknown[], stack) => {
      if (args.length > 1) note('cycle', stack);
    }),
    onCall(ArmBet.prototype, 'push', (_, stack) => note('bet', stack)),
    onCall(Ledger.prototype, 'appendLegal', async (_, stack, appended) => {
      const entries = (await appended) as readonly LedgerEntry[]; // what `appendLegal` returns
      if (entries.some((entry) => entry.kind === 'fix-moved' && entry.verdict)) note('verdict', stack);
    }),
  ];
  try {
    await liveUntilVerdict();
  } finally {
    for (const restore of undo) restore();
    Error.stackTraceLimit = limit;
  }
  const files = PARTS.flatMap((part) => [
    ...filesIn(stacks.get(part) ?? ''),
    ...(part === 'stored' || part === 'bet' ? [CALLED[part]] : []),
  ]);
  return [...new Set(files)];
}

/** Passes on each call with its stack and result, until the returned function is called. */
function onCall(
  target: object,
  name: string,
  tell: (args: never, stack: string, result: unknown) => unknown,
): () => void {
  const original: (...args: unknown[]) => unknown = Reflect.get(target, name);
  Reflect.set(target, name, function (this: unknown, ...args: unknown[]) {
    const stack = new Error(name).stack ?? '';
    const result = original.apply(this, args);
    tell(args as never, stack, result);
    return result;
  });
  return () => Reflect.set(target, name, original);
}

/** Returns the files of a stack that are in `src`, the outermost call first. */
function filesIn(stack: string): readonly string[] {
  return [...stack.matchAll(/\/(src\/[\w/-]+\.ts):\d+/g)].map(([, file = '']) => file).reverse();
}

/** Runs a loop whose calls fail now and then, until the retry on trial has a verdict. */
async function liveUntilVerdict(): Promise<void> {
  const clock = new ManualClock(Date.UTC(2026, 0, 5));
  const luck = seededRandom(42);
  const loop = new RSILoop({ clock, random: seededRandom(7), idempotent: true });
  await loop.ready();
  loop.observer.recordSimple('another_task', { success: false, error: 'connect ECONNREFUSED 127.0.0.1:8000' });
  let hasVerdict = false;
  loop.on('verdict', () => {
    hasVerdict = true;
  });
  for (let cycle = 0; cycle < MOST_CYCLES && !hasVerdict; cycle++) {
    for (let task = 0; task < TASKS_PER_CYCLE; task++) {
      const ended = loop.run('api_call', () => {
        if (luck() < 0.4) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
      });
      let isOver = false;
      void ended
        .catch(() => undefined)
        .then(() => {
          isOver = true;
        });
      while (!isOver) await clock.advance(100);
      await clock.advance(60_000);
    }
    await loop.runCycle();
  }
  await loop.close();
}
