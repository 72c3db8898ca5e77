import { createOpenAI } from '@ai-sdk/openai';
import type { Model } from 'rsi-loop';
import {
  AiSdkModel,
  AnthropicModel,
  ModelBudget,
  ModelPool,
  ModelRouter,
  OllamaModel,
  OpenAiModel,
  VllmModel,
} from 'rsi-loop/models';
import { type ModelPlace, type ModelStep, modelContract, ScriptedModel } from 'rsi-loop/testing';
import { describe, it, vi } from 'vitest';
import { ollamaServer, vllmServer } from './servers.js';

const secret = 'sk-planted-1234567890abcdef';
const budget = () => new ModelBudget({ maxTokens: 10_000_000 });

modelContract(
  'VllmModel',
  { describe, it },
  {
    create: async () => {
      const server = await vllmServer();
      const model = new VllmModel({ url: `${server.url}/v1`, model: 'qwen3', apiKey: secret });
      return { model, secret, play: server.play, stop: server.stop, remove: server.stop };
    },
  },
);

modelContract(
  'OllamaModel',
  { describe, it },
  {
    create: async () => {
      const server = await ollamaServer();
      const model = new OllamaModel({ url: server.url, model: 'qwen3:8b', maxTokens: 3, apiKey: secret });
      return { model, secret, play: server.play, stop: server.stop, remove: server.stop };
    },
  },
);

/** A client with a key in the environment, at the server that speaks all protocols. */
async function remote(keyName: string, open: (url: string) => Model): Promise<ModelPlace> {
  vi.stubEnv(keyName, secret);
  const server = await vllmServer();
  const stop = async () => {
    vi.unstubAllEnvs();
    await server.stop();
  };
  return { model: open(server.url), secret, play: server.play, stop: server.stop, remove: stop };
}

function openAi(url: string): Model {
  const embedModel = 'text-embedding-3-small';
  return new OpenAiModel({ url: `${url}/v1`, model: 'gpt-5', embedModel, budget: budget(), keyName: 'OPENAI_API_KEY' });
}

modelContract('OpenAiModel', { describe, it }, { create: () => remote('OPENAI_API_KEY', openAi) });

modelContract(
  'AnthropicModel',
  { describe, it },
  {
    create: () =>
      remote('OPENAI_API_KEY', (url) => {
        const options = { url, model: 'claude-haiku-4-5', budget: budget(), keyName: 'OPENAI_API_KEY' };
        return new AnthropicModel({ ...options, embedder: openAi(url) });
      }),
  },
);

modelContract(
  'AiSdkModel',
  { describe, it },
  {
    create: () =>
      remote('OPENAI_API_KEY', (url) => {
        const provider = createOpenAI({ baseURL: `${url}/v1`, apiKey: secret });
        return new AiSdkModel(provider.chat('gpt-4o'), { budget: budget(), embedder: openAi(url) });
      }),
  },
);

modelContract(
  'ModelPool',
  { describe, it },
  {
    create: () => {
      const { scripted, place } = scriptedPlace();
      return { ...place, model: new ModelPool([scripted]), called: 'scripted' };
    },
  },
);

modelContract(
  'ModelRouter',
  { describe, it },
  {
    create: () => {
      const { scripted, place } = scriptedPlace();
      return { ...place, model: new ModelRouter({ modes: { loop: scripted } }), called: 'scripted' };
    },
  },
);

function scriptedPlace() {
  const steps: ModelStep[] = [];
  const scripted = new ScriptedModel(() => steps.shift() ?? 'nothing left to say');
  return {
    scripted,
    place: {
      play: (more: readonly ModelStep[]) => void steps.push(...more),
      stop: () => {
        scripted.down = true;
      },
      remove: () => {},
    },
  };
}
