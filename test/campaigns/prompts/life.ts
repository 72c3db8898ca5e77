import type { Fix } from 'rsi-loop';
import { namedTexts } from 'rsi-loop/prompts';
import { Life } from '../verdicts/life.js';
import { BadStretch } from '../worlds/bad-stretch.js';

export const BASE = 'You answer questions of {{customer}}.';
const NAME = 'system';

export interface PromptLife {
  /** Failure rate of a task by its number, under a text. */
  readonly rate: (task: number, text: string) => number;
  /** Version that a person tries. */
  readonly text: string;
  /** Tasks of the trial at most. */
  readonly tasks: number;
  /** The version is tried when the last tasks look bad, as people do. Default false. */
  readonly whenBad?: boolean;
  /** The life goes on after a confirmation, for as many tasks in total. Default false. */
  readonly goesOn?: boolean;
  /** Tasks of each session; absent if tasks have none. */
  readonly perSession?: number;
  /** How much sessions differ: lognormal with this spread. Default 0. */
  readonly spread?: number;
  /** Tokens of a task under a text, before noise. Default 200. */
  readonly tokens?: (text: string) => number;
}

/** How a version fared. */
export interface PromptEnd {
  readonly status: Fix['status'];
  readonly why?: string;
  /** Tasks from the approval to the end of the trial. */
  readonly tasks: number;
}

const BEFORE = 100;
const LATEST = 600;
const CYCLE_EVERY = 10;
const TASK_MS = 30_000;

/** Lives through one version of a prompt in a whole loop: at least 100 tasks before it, then its trial. */
export async function livePrompt(seed: number, world: PromptLife): Promise<PromptEnd> {
  const life = new Life(seed, { prompts: namedTexts({ [NAME]: { text: BASE } }) });
  let [session, mood, left, sessions] = ['', 1, 0, 0];
  const nextSession = () => {
    if (session !== '') life.loop.endSession(session);
    session = `s-${sessions++}`;
    left = Math.max(1, Math.round((world.perSession ?? 1) * (0.5 + life.luck())));
    mood = Math.exp((world.spread ?? 0) * normal(life.luck));
  };
  const work = async (from: number, count: number) => {
    for (let task = from; task < from + count; task++) {
      if (world.perSession !== undefined && left-- <= 0) nextSession();
      life.clock.skip(TASK_MS);
      const { prompts, end } = life.loop.begin('answer', session === '' ? {} : { session });
      const text = prompts[NAME] ?? '';
      const tokens = { input: Math.round((world.tokens?.(text) ?? 200) * (0.7 + 0.6 * life.luck())), output: 50 };
      const isFailed = life.happens(Math.min(0.95, world.rate(task, text) * mood));
      stretch.add(isFailed);
      end(
        isFailed ? { success: false, tokens, error: 'no amount', issues: ['wrong_output'] } : { success: true, tokens },
      );
    }
    await life.loop.runCycle();
  };
  const stretch = new BadStretch();
  let before = 0;
  const isEarly = () => before < BEFORE || (world.whenBad === true && before < LATEST && !stretch.isBad);
  for (; isEarly(); before += CYCLE_EVERY) await work(before, CYCLE_EVERY);
  const { id } = await life.loop.tryPrompt(NAME, world.text, { by: 'ann' });
  await life.loop.approve(id, { by: 'ann' });
  await life.loop.runCycle();
  let tried = 0;
  const isOpen = (status: Fix['status']) => status === 'trial' || (world.goesOn === true && status === 'confirmed');
  while (tried < world.tasks && isOpen(life.loop.explain(id).fix.status)) {
    await work(before + tried, CYCLE_EVERY);
    tried += CYCLE_EVERY;
  }
  const { status, verdict } = life.loop.explain(id).fix;
  await life.loop.close();
  const why = verdict?.kind === 'failed' ? (verdict.guard ?? verdict.why) : undefined;
  return { status, tasks: tried, ...(why !== undefined && { why }) };
}

/** Draws from the standard normal distribution. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
