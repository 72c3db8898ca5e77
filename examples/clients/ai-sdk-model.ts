import { createOpenAI } from '@ai-sdk/openai';
import { RSILoop } from 'rsi-loop';
import { AiSdkModel, ModelBudget } from 'rsi-loop/models';

const provider = createOpenAI({ apiKey: process.env.OPENAI_API_KEY ?? 'none' }); // or any other provider of the AI SDK
const budget = new ModelBudget({ maxTokens: 200_000, maxUsd: 1, per: 'day' });
const price = { inputUsd: 0.25, outputUsd: 2 }; // US dollars for a million tokens: look up yours
const loop = new RSILoop({ model: new AiSdkModel(provider('gpt-5-mini'), { budget, price }) });

await loop.close();
