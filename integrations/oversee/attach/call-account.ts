import { LoopError } from 'rsi-loop';
import { isObject } from 'rsi-loop/kit';
import type { Amount } from '../amount.js';
import type { Supervised } from '../supervised.js';

/** Price of a model in US dollars for a million tokens, as `listPrice` of `rsi-loop/models` returns it. */
export interface TokenPrice {
  readonly inputUsd: number;
  readonly outputUsd: number;
}

/** Options of `attach`. */
export interface AttachOptions {
  /** Returns the price of a model; undefined if it is unknown. Needed for a budget in dollars. */
  readonly price?: (model: string) => TokenPrice | undefined;
}

/** Call of a model that is reserved and has not ended. */
export interface OpenModelCall {
  /** Takes the usage that the provider reported. Without one, the reserved amount counts. */
  end(usage?: unknown): void;
}

/** Opens calls of models inside the budget of a run. */
export class CallAccount {
  readonly #run: Pick<Supervised, 'spend' | 'left'>;
  readonly #options: AttachOptions;

  constructor(run: Pick<Supervised, 'spend' | 'left'>, options: AttachOptions) {
    this.#run = run;
    this.#options = options;
  }

  /**
   * Resolves when the call is reserved.
   * @throws LoopError `budget-exceeded` if it does not fit, `invalid-input` if dollars are limited and the price is unknown.
   */
  open(model: string): Promise<OpenModelCall> {
    const price = this.#options.price?.(model);
    if (price === undefined && this.#run.left().usd !== undefined) {
      const why = `the budget is in dollars, and ${model} has no known price: give price to attach()`;
      return Promise.reject(new LoopError('invalid-input', why));
    }
    return new Promise((resolve, reject) => {
      const work = () => new Promise<Amount>((ended) => resolve({ end: (usage) => ended(amountOf(usage, price)) }));
      this.#run.spend({ kind: model }, work, (amount) => amount).catch(reject);
    });
  }
}

function amountOf(usage: unknown, price: TokenPrice | undefined): Amount {
  const input = tokens(usage, ['inputTokens', 'input_tokens', 'promptTokens', 'prompt_tokens']);
  const output = tokens(usage, ['outputTokens', 'output_tokens', 'completionTokens', 'completion_tokens']);
  if (input === undefined && output === undefined) return {};
  const [read, written] = [input ?? 0, output ?? 0];
  const usd = price && (read * price.inputUsd + written * price.outputUsd) / 1_000_000;
  return { tokens: read + written, ...(usd !== undefined && { usd }) };
}

/** Returns the first of these counts: a number, or the `total` of an object. */
function tokens(usage: unknown, names: readonly string[]): number | undefined {
  if (!isObject(usage)) return undefined;
  for (const name of names) {
    const found = usage[name];
    const count = isObject(found) ? found.total : found;
    if (typeof count === 'number' && count >= 0 && Number.isFinite(count)) return count;
  }
  return undefined;
}
