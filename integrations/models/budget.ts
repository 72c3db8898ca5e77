import { type Clock, LoopError, SystemClock, type TokenUse } from 'rsi-loop';
import { isWithin, showValue } from 'rsi-loop/kit';
import { SpendBook, type Sums } from 'rsi-loop/oversee';

/** Price of a model, in US dollars for a million tokens. */
export interface ModelPrice {
  readonly inputUsd: number;
  readonly outputUsd: number;
}

/** Limits of what remote models may cost. */
export interface ModelBudgetOptions {
  /** Most money, in US dollars. It limits only models whose price is known. */
  readonly maxUsd?: number;
  /** Most tokens, input and output together. */
  readonly maxTokens?: number;
  /** Period after which the budget is full again, in UTC. Default: never. */
  readonly per?: 'day' | 'month';
  /** Folder that remembers what was spent, for all processes that name it. Default: only this object remembers. */
  readonly folder?: string;
  /** Default: the machine's time. */
  readonly clock?: Clock;
}

/** Amounts of the current period. */
export interface BudgetStatus {
  /** Spent, or reserved by calls that have not ended. */
  readonly usd: number;
  readonly tokens: number;
  readonly maxUsd?: number;
  readonly maxTokens?: number;
  /** Start of the current period, such as `2026-11-22`; absent without periods. */
  readonly period?: string;
}

/** Part of a budget that one call may use. */
export interface Reservation {
  /** Replaces the reserved amount by the real one. Only the first call counts. */
  settle(use: Pick<TokenUse, 'input' | 'output'>): Promise<void>;
}

const NANO = 1_000_000_000;

/**
 * Budget of remote models in money and tokens. Each call reserves its worst case before it is sent, and returns the rest
 * after it. So concurrent calls, and processes that share a folder, never exceed it.
 */
export class ModelBudget {
  readonly maxUsd: number | undefined;
  readonly maxTokens: number | undefined;
  readonly #per: ModelBudgetOptions['per'];
  readonly #clock: Clock;
  readonly #book: SpendBook;

  /** @throws LoopError `invalid-input` without a limit, or for an invalid one. */
  constructor({ maxUsd, maxTokens, per, folder, clock = new SystemClock() }: ModelBudgetOptions) {
    for (const [name, value] of Object.entries({ maxUsd, maxTokens })) {
      if (value === undefined || isWithin(value, Number.MIN_VALUE, Number.MAX_VALUE)) continue;
      throw new LoopError('invalid-input', `${name} of the budget is ${showValue(value)}: give a number above 0`);
    }
    if (maxUsd === undefined && maxTokens === undefined) {
      throw new LoopError('invalid-input', 'a budget needs a limit: give maxUsd, maxTokens or both');
    }
    if (per !== undefined && per !== 'day' && per !== 'month') {
      throw new LoopError('invalid-input', `per of the budget is ${JSON.stringify(per)}: give day or month`);
    }
    this.maxUsd = maxUsd;
    this.maxTokens = maxTokens;
    this.#per = per;
    this.#clock = clock;
    this.#book = new SpendBook('model-budget', folder);
  }

  /**
   * Reserves the worst case of one call.
   * @throws LoopError `model-down` if the budget does not cover it, `store-failed` if the folder cannot be used.
   */
  async reserve(name: string, worst: Pick<TokenUse, 'input' | 'output'>, price?: ModelPrice): Promise<Reservation> {
    const period = this.#period();
    const amount = spentBy(worst, price);
    const limit = {
      ...(this.maxTokens !== undefined && { tokens: this.maxTokens }),
      ...(this.maxUsd !== undefined && { usd: Math.floor(this.maxUsd * NANO) }),
    };
    const { id, before, fits } = await this.#book.reserve(period, amount, limit);
    if (!fits) throw new LoopError('model-down', `${name} is not asked: ${this.#words(before, amount)}`);
    let isSettled = false;
    return {
      settle: async (use) => {
        if (isSettled) return;
        isSettled = true;
        await this.#book.settle(period, id, spentBy(use, price));
      },
    };
  }

  /** Returns what is spent or reserved in this period. */
  async status(): Promise<BudgetStatus> {
    const period = this.#period();
    const { usd, tokens } = await this.#book.spent(period);
    return {
      usd: usd / NANO,
      tokens,
      ...(this.maxUsd !== undefined && { maxUsd: this.maxUsd }),
      ...(this.maxTokens !== undefined && { maxTokens: this.maxTokens }),
      ...(period !== '' && { period }),
    };
  }

  #period(): string {
    const today = new Date(this.#clock.now()).toISOString();
    return this.#per === undefined ? '' : today.slice(0, this.#per === 'day' ? 10 : 7);
  }

  #words(before: Readonly<Sums>, amount: Readonly<Sums>): string {
    const { maxUsd, maxTokens } = this;
    const overUsd = maxUsd !== undefined && before.usd + amount.usd > maxUsd * NANO;
    const figures = overUsd
      ? `${shownUsd(before.usd)} of ${maxUsd} US dollars are spent or reserved, and this call may cost ${shownUsd(amount.usd)}`
      : `${before.tokens} of ${maxTokens} tokens are spent or reserved, and this call may use ${amount.tokens}`;
    const again = this.#per === undefined ? '' : `; the budget is full again next ${this.#per} (UTC)`;
    return `${figures}: raise ${overUsd ? 'maxUsd' : 'maxTokens'}, or shorten maxTokens of the model${again}`;
  }
}

/** Rounds up to whole billionths of a dollar, so that sums are exact. */
function spentBy({ input, output }: Pick<TokenUse, 'input' | 'output'>, price: ModelPrice | undefined): Sums {
  const usd = price ? Math.ceil((input * price.inputUsd + output * price.outputUsd) * (NANO / 1_000_000)) : 0;
  return { usd, tokens: input + output, calls: 1 };
}

function shownUsd(nanoUsd: number): string {
  return String(Number((nanoUsd / NANO).toPrecision(3)));
}
