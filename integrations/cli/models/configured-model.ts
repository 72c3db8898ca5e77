import { resolve } from 'node:path';
import { LoopError, type Model } from 'rsi-loop';
import type { Configuration } from '../config/load.js';
import type { RemoteConfig } from '../config/sections/models-section.js';
import { notice } from '../terminal/output.js';

/** Returns the model that the configuration lets the loop ask, as an option of `RSILoop`. Prints which one it is. */
export async function modelOption({ values }: Configuration, store: string): Promise<{ readonly model?: Model }> {
  const { local = false, vllm, ollama, remote } = values.models ?? {};
  if (!local && !remote) return {};
  const { ModelRouter, selectModel } = await import('rsi-loop/models');
  const found = local ? await selectModel({ ...(vllm && { vllm }), ...(ollama && { ollama }) }) : undefined;
  for (const line of found?.why ?? []) await notice(line);
  const near = found?.model;
  if (!remote) return near ? { model: near } : {};
  const { model } = await openRemote(remote, store);
  await notice(`the loop asks ${model.name}${near ? ' when no local server answers' : ''}, within its budget`);
  return { model: near ? new ModelRouter({ modes: { loop: near }, fallback: model }) : model };
}

/**
 * Opens the remote model of a configuration. All processes on a store share its budget, which is kept there.
 * @throws LoopError `invalid-input` for a missing key or an unknown price.
 */
export async function openRemote({ provider, url, model, keyName, price, budget }: RemoteConfig, store: string) {
  const { AnthropicModel, listPrice, ModelBudget, OpenAiModel } = await import('rsi-loop/models');
  // The check of the section has made sure of both.
  if (model === undefined || budget === undefined) throw new LoopError('invalid-input', 'models.remote has no budget');
  const shared = new ModelBudget({ ...budget, folder: resolve(store, 'models') });
  const isAnthropic = provider === 'anthropic' || (url !== undefined && new URL(url).host === 'api.anthropic.com');
  const options = {
    model,
    budget: shared,
    ...(url !== undefined && { url }),
    ...(keyName !== undefined && { keyName }),
    ...(price && { price }),
  };
  const opened = isAnthropic ? new AnthropicModel(options) : new OpenAiModel(options);
  return { model: opened, budget: shared, price: price ?? (url === undefined ? listPrice(model) : undefined) };
}
