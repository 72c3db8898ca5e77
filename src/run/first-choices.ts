import { BoundedMap } from '../lib/bounded-map.js';
import type { Random } from '../lib/random.js';
import { wilsonRate } from '../lib/statistics.js';

/** Share of the tasks that ask another model of their list first, and the same once each has enough first calls. */
const EXPLORED = 0.04;
const CHECKED = 0.02;
const ENOUGH_CALLS = 60;
/** The same while a choice between several others needs a first look at each. */
const FIRST_LOOK = 0.4;
/** First calls of a model before another one is tried, and its failure rate up to which none is. */
const MIN_CALLS = 20;
const MIN_RATE = 0.05;
/** Counts are halved at this number of calls, so that a model that recovered is left alone. */
const MOST_CALLS = 400;
const MAX_KEPT = 1_000;

interface Calls {
  readonly of: number;
  readonly failed: number;
}

/**
 * Sends a small random share of the tasks that list several models to another model first, while the first one fails
 * regularly. Only models that were asked first at random can be compared: a fallback sees what the first one failed.
 * A list of three or more models first gets 20 such calls of each other model, so that trials begin with the best one.
 */
export class FirstChoices {
  readonly #random: Random;
  readonly #mayTry: () => boolean;
  readonly #calls = new BoundedMap<Calls>(MAX_KEPT);

  constructor(random: Random, mayTry: () => boolean) {
    this.#random = random;
    this.#mayTry = mayTry;
  }

  /** Counts the first call of a task that lists several models. */
  count(task: string, model: string | undefined, hasFailed: boolean): void {
    if (model === undefined) return;
    const key = taskModelKey(task, model);
    const { of, failed } = this.#calls.get(key) ?? NONE;
    const halves = of >= MOST_CALLS ? 0.5 : 1;
    this.#calls.put(key, { of: of * halves + 1, failed: failed * halves + (hasFailed ? 1 : 0) });
  }

  /** Returns the models in the order to try them, for a few tasks with another model first. */
  order(task: string, models: readonly string[], isResting: (model: string) => boolean): readonly string[] {
    const [first] = models;
    if (first === undefined || !this.#failsRegularly(task, first) || !this.#mayTry()) return models;
    const others = models.filter((model) => model !== first && !isResting(model));
    const [least, ...more] = others.sort((one, other) => this.#callsOf(task, one) - this.#callsOf(task, other));
    if (least === undefined) return models;
    if (this.#random() >= shareFor(this.#callsOf(task, least), more.length > 0)) return models;
    return [least, ...models.filter((model) => model !== least)];
  }

  #callsOf(task: string, model: string): number {
    return (this.#calls.get(taskModelKey(task, model)) ?? NONE).of;
  }

  #failsRegularly(task: string, model: string): boolean {
    const { of, failed } = this.#calls.get(taskModelKey(task, model)) ?? NONE;
    return of >= MIN_CALLS && wilsonRate(failed, of).low > MIN_RATE;
  }
}

/** Returns the share of tasks that ask another model first, by the first calls of the least known one. */
function shareFor(calls: number, isChoice: boolean): number {
  if (isChoice && calls < MIN_CALLS) return FIRST_LOOK;
  return calls < ENOUGH_CALLS ? EXPLORED : CHECKED;
}

const NONE: Calls = { of: 0, failed: 0 };

function taskModelKey(task: string, model: string): string {
  return JSON.stringify([task, model]);
}
