import fc from 'fast-check';
import { Life, type LifeReport } from './life.js';
import { nothingStopped, type Script, someSteps } from './steps.js';

/** Sum of the counts of many lives; in one that broke a promise, also the shorter ones that were tried to show it. */
export interface LivesReport {
  readonly lives: number;
  /** Of them, those over a real folder. */
  readonly onDisk: number;
  readonly cycles: number;
  /** Times that what a process knew, or had saved, was compared with what the logs alone give. */
  readonly compared: number;
  /** Steps of the loop that were not legal any more. */
  readonly dropped: number;
  readonly unfinished: number;
  readonly different: number;
  /** Entries of the ledger by kind and, of moves, by where they lead. */
  readonly steps: Readonly<Record<string, number>>;
  readonly broken: readonly string[];
}

export interface LivesJob {
  readonly count: number;
  readonly seed: number;
  /** Whether what each process knows is compared with what the logs alone give; most of the cost. Default true. */
  readonly isCompared?: boolean;
  /** Whether the processes share a real folder by `FileStore` instead of one in memory. Default false. */
  readonly onDisk?: boolean;
}

/** Lives random lives. No cycle of them may end unfinished, and every state has to follow from the logs alone. */
export async function runLives({ count, seed, isCompared = true, onDisk = false }: LivesJob): Promise<LivesReport> {
  let total: LivesReport = NONE;
  const property = fc.asyncProperty(fc.integer({ min: 1 }), someSteps, async (luck, script) => {
    const life = new Life(luck, { isCompared, onDisk });
    const { broken, steps, ...counts } = await live(life, script).finally(() => life.remove());
    const has = (what: string) => (broken.some((one) => one.includes(what)) ? 1 : 0);
    const unfinished = has('unfinished');
    const different = has('differs');
    total = addLives(total, {
      ...counts,
      lives: 1,
      onDisk: onDisk ? 1 : 0,
      unfinished,
      different,
      steps: Object.fromEntries(steps),
      broken: [],
    });
    if (broken.length > 0) throw new Error(broken.slice(0, 5).join('\n'));
  });
  const details = await fc.check(property, { numRuns: count, seed });
  const broken = details.failed ? [`${details.errorInstance}\n${fc.defaultReportMessage(details)}`] : [];
  return { ...total, broken };
}

async function live(life: Life, script: Script): Promise<LifeReport> {
  await life.start(0);
  await life.start(1);
  await fc.asyncModelRun(() => ({ model: nothingStopped(), real: life }), script);
  return life.finish();
}

const NONE: LivesReport = {
  lives: 0,
  onDisk: 0,
  cycles: 0,
  compared: 0,
  dropped: 0,
  unfinished: 0,
  different: 0,
  steps: {},
  broken: [],
};

export function addLives(one: LivesReport, other: LivesReport): LivesReport {
  const steps = { ...one.steps };
  for (const [step, times] of Object.entries(other.steps)) steps[step] = (steps[step] ?? 0) + times;
  return {
    lives: one.lives + other.lives,
    onDisk: one.onDisk + other.onDisk,
    cycles: one.cycles + other.cycles,
    compared: one.compared + other.compared,
    dropped: one.dropped + other.dropped,
    unfinished: one.unfinished + other.unfinished,
    different: one.different + other.different,
    steps,
    broken: [...one.broken, ...other.broken],
  };
}
