import { LoopError } from 'rsi-loop';
import type { ModelHealth } from 'rsi-loop/kit';
import { type BudgetStatus, type ModelPrice, PRICES_OF, PROVIDERS } from 'rsi-loop/models';
import type { RemoteConfig } from '../config/sections/models-section.js';
import { openRemote } from './configured-model.js';

/** Key in the environment, by the name of its variable. Its value is not kept. */
export interface FoundKey {
  readonly provider: string;
  readonly keyName: string;
}

/** Remote model of the configuration, and what it would cost. */
export interface RemoteRow {
  readonly name: string;
  readonly price?: ModelPrice;
  /** True for a price from the table of this version, which may be old. */
  readonly isListPrice?: true;
  /** Highest price of one question of the loop, in US dollars; absent if the price is unknown. */
  readonly questionUsd?: number;
  readonly budget?: BudgetStatus;
  /** Answer of the provider; present only if it was asked. */
  readonly health?: ModelHealth;
  /** Reason why it cannot be used. */
  readonly problem?: string;
}

/** Highest number of tokens in a question of the loop and in its answer. A usual question has an eighth of the input. */
const QUESTION = { input: 16_000, output: 800 } as const;

export function foundKeys(environment: NodeJS.ProcessEnv): readonly FoundKey[] {
  return PROVIDERS.flatMap(({ name, keyName }) => (environment[keyName] ? [{ provider: name, keyName }] : []));
}

/** Returns what the configured remote model would cost. Calls its provider only if `ask` is true. */
export async function remoteRow(
  remote: RemoteConfig,
  store: string,
  { ask, signal }: { readonly ask: boolean; readonly signal: AbortSignal },
): Promise<RemoteRow> {
  try {
    const { model, budget, price } = await openRemote(remote, store);
    const questionUsd = price && (QUESTION.input * price.inputUsd + QUESTION.output * price.outputUsd) / 1_000_000;
    return {
      name: model.name,
      ...(price && { price }),
      ...(price && !remote.price && { isListPrice: true as const }),
      ...(questionUsd !== undefined && { questionUsd }),
      budget: await budget.status(),
      ...(ask && { health: await model.health({ signal }) }),
    };
  } catch (error) {
    if (!LoopError.is(error)) throw error;
    return { name: String(remote.model), problem: error.message };
  }
}

/** Describes keys and the remote model, as labels and texts. */
export function remoteLines(
  keys: readonly FoundKey[],
  row: RemoteRow | undefined,
): readonly (readonly [string, string])[] {
  const names = keys.map(({ keyName, provider }) => `${keyName} (${provider})`).join(', ');
  const lines: (readonly [string, string])[] = [
    [
      'keys',
      names === ''
        ? 'none of the known providers'
        : `${names}, in the environment${row?.health ? '' : '; no provider was asked'}`,
    ],
  ];
  if (!row) return [...lines, ['asked', 'none: models.remote in rsi.config is not set']];
  lines.push(['model', row.problem === undefined ? row.name : `${row.name} cannot be used: ${row.problem}`]);
  if (row.problem !== undefined) return lines;
  const { price, questionUsd = 0, budget, health } = row;
  lines.push([
    'price',
    price ? priceWords(price, questionUsd, row.isListPrice) : 'unknown, so only tokens are counted',
  ]);
  if (budget) lines.push(['budget', budgetWords(budget)]);
  if (health)
    lines.push([
      'answer',
      health.ok ? `it takes the key, and lists ${health.models.length} models` : (health.problem ?? ''),
    ]);
  return lines;
}

function priceWords({ inputUsd, outputUsd }: ModelPrice, questionUsd: number, isListPrice = false): string {
  const question = `a question of the loop costs at most ${Number(questionUsd.toPrecision(2))} US dollars`;
  const age = isListPrice ? `, by the list prices of ${PRICES_OF}: look up yours` : '';
  return `$${inputUsd} for a million tokens in, $${outputUsd} out${age}; ${question}`;
}

function budgetWords({ usd, maxUsd, tokens, maxTokens, period }: BudgetStatus): string {
  const parts = [
    ...(maxUsd === undefined ? [] : [`${Number(usd.toPrecision(3))} of ${maxUsd} US dollars`]),
    ...(maxTokens === undefined ? [] : [`${tokens} of ${maxTokens} tokens`]),
  ];
  return `${parts.join(' and ')} spent${period === undefined ? '' : ` in ${period} (UTC)`}`;
}
