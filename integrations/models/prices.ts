import type { ModelPrice } from './budget.js';

/** Month of the prices below. Providers change them: a price that you give is used instead. */
export const PRICES_OF = '2026-03';

/** List prices in US dollars for a million tokens of input and of output, without discounts. */
const PRICES: Readonly<Record<string, readonly [input: number, output: number]>> = {
  'claude-opus-4-6': [5, 25],
  'claude-opus-4-5': [5, 25],
  'claude-opus-4-1': [15, 75],
  'claude-sonnet-4-6': [3, 15],
  'claude-sonnet-4-5': [3, 15],
  'claude-haiku-4-5': [1, 5],
  'gpt-5': [1.25, 10],
  'gpt-5-mini': [0.25, 2],
  'gpt-5-nano': [0.05, 0.4],
  'gpt-4.1': [2, 8],
  'gpt-4.1-mini': [0.4, 1.6],
  'gpt-4.1-nano': [0.1, 0.4],
  'gpt-4o': [2.5, 10],
  'gpt-4o-mini': [0.15, 0.6],
};

/** Returns the list price of a model at its own provider, also for a dated version of it; `undefined` if unknown. */
export function listPrice(model: string): ModelPrice | undefined {
  const found = PRICES[model.replace(/-\d{4}-?\d{2}-?\d{2}$/, '')];
  return found && { inputUsd: found[0], outputUsd: found[1] };
}
