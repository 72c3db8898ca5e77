import type { ModelBudgetOptions, ModelPrice } from 'rsi-loop/models';
import { choice, flag, number, object, text, texts, url } from '../check-config.js';

/** Models that the loops of `rsi` may ask. Without this section, they ask none. */
export interface ModelsConfig {
  /** Whether to ask model servers on this machine, or at the addresses below. */
  readonly local?: boolean;
  /** Addresses of vLLM. Default: `RSI_VLLM_URL`, or port 8000 of this machine. */
  readonly vllm?: readonly string[];
  /** Addresses of Ollama. Default: `RSI_OLLAMA_URL`, or port 11434 of this machine. */
  readonly ollama?: readonly string[];
  /** Remote model that costs money. With `local` too, it is asked only if no local server answers. */
  readonly remote?: RemoteConfig;
}

export interface RemoteConfig {
  /** Default: the provider at `url`. */
  readonly provider?: 'anthropic' | 'openai';
  /** Address of the API, if it is not the provider's own. */
  readonly url?: string;
  readonly model?: string;
  /** Environment variable that holds the key. */
  readonly keyName?: string;
  readonly price?: ModelPrice;
  readonly budget?: Pick<ModelBudgetOptions, 'maxUsd' | 'maxTokens' | 'per'>;
}

const dollars = number('US dollars for a million tokens, 0 or more', { min: 0 });

const remoteCheck = object<RemoteConfig>(
  {
    provider: choice(['anthropic', 'openai']),
    url: url(),
    model: text('the name of a model, as the provider calls it'),
    keyName: text('the name of an environment variable'),
    price: object<ModelPrice>({ inputUsd: dollars, outputUsd: dollars }, ({ inputUsd, outputUsd }) =>
      inputUsd === undefined || outputUsd === undefined
        ? 'models.remote.price needs inputUsd and outputUsd'
        : undefined,
    ),
    budget: object<NonNullable<RemoteConfig['budget']>>({
      maxUsd: number('US dollars, above 0', { min: Number.MIN_VALUE }),
      maxTokens: number('tokens, at least 1', { min: 1, whole: true }),
      per: choice(['day', 'month']),
    }),
  },
  (remote) => {
    const missing = ['model', 'budget'].find((name) => remote[name] === undefined);
    if (missing !== undefined)
      return `models.remote has no ${missing}: a remote model costs money, so give both model and budget`;
    return remote.provider === undefined && remote.url === undefined
      ? 'models.remote needs provider or url'
      : undefined;
  },
);

export const modelsCheck = object<ModelsConfig>({
  local: flag({ fallback: false }),
  vllm: texts("a list of addresses, such as ['http://gpu-1:8000']"),
  ollama: texts("a list of addresses, such as ['http://127.0.0.1:11434']"),
  remote: remoteCheck,
});
