import type { Fix, Scope } from 'rsi-loop';
import { namedTexts } from 'rsi-loop/prompts';
import { Life } from '../verdicts/life.js';

/** Version of a prompt, or model, that a task used. */
export type Arm = 'old' | 'new';

/** A world in which requests differ by features, and the two arms suit them differently. */
export interface RouteWorld {
  /** Arms are models that the caller lists, or versions of a prompt. */
  readonly arms: 'models' | 'texts';
  /** Features of a request. */
  readonly features: (luck: () => number) => Readonly<Record<string, string>>;
  /** Failure rate of a request under an arm, by the number of the task. */
  readonly rate: (arm: Arm, features: Readonly<Record<string, string>>, task: number) => number;
  readonly tasks: number;
}

export interface RouteEnd {
  readonly status: Fix['status'] | 'none';
  /** Kinds of task that the change left out in the end. */
  readonly except: readonly Scope[];
  /** Expected failures in the last third: with the old arm alone, as it went, and with the better arm for each request. */
  readonly old: number;
  readonly lived: number;
  readonly best: number;
  /** The same with the better arm of the two for all requests. */
  readonly single: number;
  /** Expected failures of the whole life beyond those of the old arm alone, if any. */
  readonly harm: number;
  /** Tasks until the change was confirmed. */
  readonly confirmedAfter: number | null;
}

const OLD = 'You answer questions.';
const NEW = 'You answer questions. Cite the source.';
const NAME = 'system';
const CYCLE_EVERY = 10;
const BEFORE = 100;

/** Lives through a world in a whole loop. */
export async function liveRoute(seed: number, world: RouteWorld): Promise<RouteEnd> {
  const isText = world.arms === 'texts';
  const life = new Life(seed, { idempotent: false, ...(isText && { prompts: namedTexts({ [NAME]: { text: OLD } }) }) });
  const { loop, clock, luck } = life;
  const sums = { old: 0, new: 0, lived: 0, best: 0, harm: 0 };
  let confirmedAfter: number | null = null;
  const firstFix = () => loop.fixes().findLast(({ change }) => change.kind === (isText ? 'prompt' : 'policy'));
  for (let task = 0; task < world.tasks; task++) {
    clock.skip(30_000);
    const features = world.features(luck);
    const open = loop.begin('answer', { features, ...(!isText && { models: ['old', 'new'] }) });
    const arm = isText ? armOfText(open.prompts[NAME]) : armOf(open.policy['model.order'][0]);
    const rates = { old: world.rate('old', features, task), new: world.rate('new', features, task) };
    sums.harm += rates[arm] - rates.old;
    if (task >= (2 / 3) * world.tasks) {
      sums.old += rates.old;
      sums.new += rates.new;
      sums.lived += rates[arm];
      sums.best += Math.min(rates.old, rates.new);
    }
    const success = !life.happens(rates[arm]);
    const model = isText ? {} : { model: arm, attempts: [{ delayMs: 0, durationMs: 100, success, model: arm }] };
    open.end(success ? { success, ...model } : { success, ...model, error: 'no', issues: ['wrong_output'] });
    if ((task + 1) % CYCLE_EVERY === 0) await loop.runCycle();
    if (isText && task + 1 === BEFORE) {
      const { id } = await loop.tryPrompt(NAME, NEW, { by: 'ann' });
      await loop.approve(id, { by: 'ann' });
    }
    if (confirmedAfter === null && firstFix()?.status === 'confirmed') confirmedAfter = task + 1;
  }
  const fix = firstFix();
  await loop.close();
  return {
    ...{ status: fix?.status ?? 'none', except: fix?.change.scope.except ?? [], confirmedAfter },
    ...{ old: sums.old, lived: sums.lived, best: sums.best, single: Math.min(sums.old, sums.new) },
    harm: Math.max(0, sums.harm),
  };
}

function armOfText(text: string | undefined): Arm {
  return text === NEW ? 'new' : 'old';
}

function armOf(model: string | undefined): Arm {
  return model === 'new' ? 'new' : 'old';
}
