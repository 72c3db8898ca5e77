import { RSILoop } from 'rsi-loop';
import { AnthropicModel, ModelBudget } from 'rsi-loop/models';

const budget = new ModelBudget({ maxUsd: 1, per: 'day', folder: './rsi_data/models' }); // all processes together
const key = process.env.ANTHROPIC_API_KEY; // never an option: only from the environment
const model = key ? new AnthropicModel({ model: 'claude-haiku-4-5', budget }) : undefined;
const loop = new RSILoop({ ...(model && { model }) });

console.log(await budget.status()); // { usd: 0, tokens: 0, maxUsd: 1, period: '2026-11-22' }
await loop.close();
