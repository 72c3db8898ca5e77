import { BoundedMap, comparing } from 'rsi-loop/kit';
import { answerOf, type CallIdentity, canonical, type DetectedCall } from './call-identity.js';
import { CallPace, WAITING_MS } from './call-pace.js';
import { RecentKeys } from './recent-keys.js';

/** Weight of a known result of a new input, or right after one: edits that return `ok` are work, and so is their check. */
const NEW_INPUT = 0.125;
/** Results and inputs that are remembered at least: one that returns after twice as many counts as new. */
const MAX_RESULTS = 256;
const MAX_WORDS = 1_024;
const MAX_STATES = 64;
/** Longest result of which words and numbers are compared; of an input, so many characters are read. */
const MAX_SHORT = 300;
const MAX_INPUT = 4_000;
/** New words that make a text say something new, if they are not half of it. */
const NEW_WORDS = 4;

const NUMBER = /\d+(?:\.\d+)?/g;
/** Counter with an end: it shows progress. */
const BOUNDED = /\d ?%|\d ?\/ ?\d|\bof \d/;
/** Path, file or identifier: a new one is a new thing to work on. */
const NAME = /(?<![\p{L}\d])[\p{L}\d]+(?:[/\\._:@-]+[\p{L}\d]+)+/gu;

/** News that calls bring: in results, in the words of inputs, and in numbers. Its state is bounded. */
export class Novelty {
  readonly #stopAt: number;
  readonly #results = new RecentKeys(MAX_RESULTS);
  readonly #inputs = new RecentKeys(MAX_RESULTS);
  readonly #words = new RecentKeys(MAX_WORDS);
  readonly #states = new BoundedMap<State>(MAX_STATES);
  readonly #pace = new CallPace();
  #lastState = '';
  /** Whether the input of the last call was known. */
  #wasKnown = false;

  /** `stopAt` is the weight of a run of calls that is stopped. Waiting reaches it in two hours. */
  constructor(stopAt: number) {
    this.#stopAt = stopAt;
  }

  /**
   * Returns the weight of a call without new information, 0 for one with a new result. A known result of an input that says
   * something new weighs an eighth.
   */
  weigh(call: DetectedCall, identity: CallIdentity): number {
    const isRepeated = this.#inputs.add(identity.call);
    // "34 % copied" is news about each job.
    const text = answerOf(call);
    const about = BOUNDED.test(text.slice(0, MAX_SHORT)) ? identity.call : '';
    const isNew = !this.#results.add(`${about}${identity.result}`);
    const waitedMs = this.#pace.waitedMs(identity);
    const hasNews = this.#hasNews(call, text, isNew);
    const isKnown = isRepeated || (!hasNews && !this.#saysNew(textOf(call.input)));
    const weight = isKnown && this.#wasKnown ? 1 : NEW_INPUT;
    this.#wasKnown = isKnown;
    if (hasNews) return 0;
    return waitedMs === undefined ? weight : Math.min(weight, (waitedMs * this.#stopAt) / WAITING_MS);
  }

  /** Whether the result is new, and more than the next number of a counter or known words in another order. */
  #hasNews(call: DetectedCall, text: string, isNew: boolean): boolean {
    if (text.length > MAX_SHORT || call.error !== undefined) return isNew;
    const numbers = text.match(NUMBER)?.map(Number) ?? [];
    if (numbers.length === 0) return this.#saysNew(text) && isNew;
    const counts = this.#countsOn(`${call.tool} ${text.replace(NUMBER, '#')}`, numbers);
    return isNew && (!counts || BOUNDED.test(text));
  }

  /** Whether a result that came in turn with others differs from the one before by the same steps as that one did. */
  #countsOn(state: string, numbers: readonly number[]): boolean {
    const before = this.#states.get(state);
    const steps = numbers.map((number, index) => number - (before?.numbers[index] ?? 0));
    const isInTurn = this.#lastState !== state;
    this.#states.put(state, { numbers, steps: before ? steps : undefined });
    this.#lastState = state;
    return isInTurn && before?.steps !== undefined && steps.every((step, index) => step === before.steps?.[index]);
  }

  /** Whether a text has a new name, many new words, or half of its words are new. */
  #saysNew(text: string): boolean {
    let names = 0;
    for (const [name] of text.matchAll(NAME)) if (!this.#words.add(`/${name.replace(NUMBER, '#')}`)) names++;
    const words = [...comparing.termsOf(text).keys()];
    const fresh = words.filter((word) => !this.#words.add(word)).length;
    return names > 0 || fresh >= NEW_WORDS || (fresh > 0 && fresh * 2 >= words.length);
  }
}

/** Result without its numbers: those it had last, and by how much they had changed. */
interface State {
  readonly numbers: readonly number[];
  readonly steps: readonly number[] | undefined;
}

function textOf(input: unknown): string {
  return (typeof input === 'string' ? input : canonical(input)).slice(0, MAX_INPUT);
}
