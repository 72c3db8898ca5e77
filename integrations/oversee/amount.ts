import { LoopError } from 'rsi-loop';
import { showValue } from 'rsi-loop/kit';

/** Amount of money, tokens and calls. An absent field is not stated. */
export interface Amount {
  readonly usd?: number;
  /** Input and output together. */
  readonly tokens?: number;
  readonly calls?: number;
}

/** Fields of an amount, and the words for them. */
export const RESOURCES = { usd: 'US dollars', tokens: 'tokens', calls: 'calls' } as const;
/** Resource that a run uses up, by its name. */
export type Resource = keyof typeof RESOURCES;
export const RESOURCE_NAMES = Object.keys(RESOURCES) as readonly Resource[]; // the keys of the table above

/** Sums of an amount. Money is in billionths of a dollar, so that sums are exact. */
export type Sums = { [Name in Resource]: number };

const NANO = 1_000_000_000;

export function noSums(): Sums {
  return { usd: 0, tokens: 0, calls: 0 };
}

/** Returns the sums of an amount; unstated fields are 0. Money is rounded up to whole billionths of a dollar. */
export function sumsOf({ usd = 0, tokens = 0, calls = 0 }: Amount): Sums {
  return { usd: Math.ceil(usd * NANO - 1e-6), tokens, calls };
}

/** Returns the amount of sums. */
export function amountOf({ usd, tokens, calls }: Sums): Required<Amount> {
  return { usd: usd / NANO, tokens, calls };
}

/** @throws LoopError `invalid-input` naming the field, unless each stated field is a number from 0. */
/** Checks an amount that the host gave. */
export function checkAmount(amount: Amount, name: string): void {
  for (const resource of RESOURCE_NAMES) {
    const value = amount[resource];
    if (value === undefined || (typeof value === 'number' && value >= 0 && Number.isFinite(value))) continue;
    throw new LoopError('invalid-input', `${name}.${resource} is ${showValue(value)}: give a number from 0`);
  }
}
