import { ModelPool, ModelRouter, OllamaModel, VllmModel } from 'rsi-loop/models';
import { type ModelStep, modelContract, ScriptedModel } from 'rsi-loop/testing';
import { describe, it } from 'vitest';
import { ollamaServer, vllmServer } from './servers.js';

const secret = 'sk-planted-1234567890abcdef';

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
