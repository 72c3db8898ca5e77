import { setTimeout as sleep } from 'node:timers/promises';
import { type Fix, RSILoop } from 'rsi-loop';
import { seededRandom } from '../../../src/lib/random.js';
import { Agent, type Done } from './agent.js';
import { KINDS, type Kind, type ProviderOptions } from './faults.js';
import { startProvider } from './provider-process.js';

/** Tasks that only run, before the loop's first cycle: what there is to mend. */
export const BEFORE = 300;
/** Tasks the loop has to mend it. */
export const WITHIN = 3_000;
/** Tasks after those, which show what is left. */
const AFTER = 600;

export interface WholeLoopOptions extends ProviderOptions {
  readonly before?: number;
  /** Altogether. */
  readonly tasks?: number;
  /** How many times faster the agent works. Default 1. */
  readonly pace?: number;
  /** Kinds of tasks the agent has. Default all. */
  readonly kinds?: readonly Kind[];
  /** Receives each step of the loop as a line. */
  readonly tell?: (line: string) => void;
}

export interface Confirmed {
  readonly fix: Fix;
  /** Tasks of the agent that had begun when the verdict came. */
  readonly afterTasks: number;
}

export interface WholeLoopResult {
  /** In the order in which they began. */
  readonly done: readonly Done[];
  readonly confirmed: readonly Confirmed[];
  readonly seconds: number;
}

/** Tasks that the agent repeats: calls of `index` come in a batch, the others one by one. */
const ROUND_MS = 600;
const PER_ROUND: Readonly<Record<Kind, number>> = { index: 8, search: 8, translate: 2, summarize: 2, answer: 2 };
const CYCLE_EVERY_MS = 250;
/** Per pattern; with five patterns and twenty seeds the default of 5 % would confirm something useless now and then. */
const ALPHA = 0.01;

/** An agent works through the loop against the model server, without help. */
export async function runWholeLoop(options: WholeLoopOptions): Promise<WholeLoopResult> {
  const { seed, before = BEFORE, tasks = BEFORE + WITHIN + AFTER, kinds = KINDS, pace = 1, tell } = options;
  const roundMs = ROUND_MS / pace;
  const provider = await startProvider(options);
  const random = seededRandom(seed);
  // This agent asks one model and takes what comes: nothing is mended before the loop mends it.
  const loop = new RSILoop({
    random: seededRandom(seed),
    policy: { 'model.fallback': false },
    idempotent: true,
    alpha: ALPHA,
  });
  const agent = new Agent(loop, provider.url);
  await agent.warmUp();
  const confirmed: Confirmed[] = [];
  const done: Done[] = [];
  let begun = 0;
  loop.on('verdict', ({ fix, verdict }) => {
    if (verdict.kind === 'confirmed') confirmed.push({ fix, afterTasks: begun });
  });
  if (tell) narrate(loop, (line) => tell(`${begun}: ${line}`));
  await loop.ready();

  const startedMs = performance.now();
  const open: Promise<void>[] = [];
  const numbers = new Map<Kind, number>();
  const begin = async (kind: Kind, afterMs: number) => {
    await sleep(afterMs);
    if (begun >= tasks) return;
    if (begun === before) loop.start({ everyMs: CYCLE_EVERY_MS });
    const place = begun++;
    const number = numbers.get(kind) ?? 0;
    numbers.set(kind, number + 1);
    done[place] = await agent.do(kind, number);
  };
  while (begun < tasks) {
    for (const kind of kinds) {
      for (let one = 0; one < PER_ROUND[kind]; one++) {
        open.push(begin(kind, kind === 'index' ? 0 : random() * roundMs));
      }
    }
    await sleep(roundMs);
  }
  await Promise.all(open);
  const seconds = (performance.now() - startedMs) / 1_000;
  await loop.close();
  provider.stop();
  return { done, confirmed, seconds };
}

function narrate(loop: RSILoop, tell: (line: string) => void): void {
  loop.on('trial-started', ({ fix }) => {
    const block = fix.trial?.blockMs === undefined ? '' : ` in blocks of ${fix.trial.blockMs} ms`;
    tell(`${fix.task} trial of ${JSON.stringify(fix.change)}${block}`);
  });
  loop.on('verdict', ({ fix, verdict }) => {
    if (!('figures' in verdict)) return;
    const { fix: helped, control } = verdict.figures;
    const why = verdict.kind === 'confirmed' ? '' : ` (${verdict.why} ${'guard' in verdict ? verdict.guard : ''})`;
    const arms = `${helped.failures} of ${helped.tasks} failed with it, ${control.failures} of ${control.tasks} without`;
    tell(`${fix.task} ${verdict.kind}${why} ${fix.target}: ${arms}`);
  });
  loop.on('problem', ({ where, message }) => tell(`problem in ${where}: ${message}`));
}
