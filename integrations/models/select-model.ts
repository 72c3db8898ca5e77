import type { Clock, Model } from 'rsi-loop';
import type { ModelHealth, ModelRole } from 'rsi-loop/kit';
import { ModelPool } from './model-pool.js';
import { ModelRouter } from './model-router.js';
import { isForEmbedding, OllamaModel } from './ollama-model.js';
import { VllmModel } from './vllm-model.js';

/** Options of `selectModel`. */
export interface SelectModelOptions {
  /** Addresses to try for vLLM. Default: `RSI_VLLM_URL` (comma-separated), else `http://127.0.0.1:8000`. */
  readonly vllm?: readonly string[];
  /** Addresses to try for Ollama. Default: `RSI_OLLAMA_URL` (comma-separated), else `http://127.0.0.1:11434`. */
  readonly ollama?: readonly string[];
  /** Sent to vLLM. Default: the environment variable `VLLM_API_KEY`. */
  readonly apiKey?: string;
  /** Longest wait for a server's health check. Default 2,000 ms. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
}

/** A server and the result of its health check. */
export interface ProbedServer {
  readonly kind: 'vllm' | 'ollama';
  readonly url: string;
  /** Client of this server; present even if it did not answer. */
  readonly model: Model;
  readonly health: ModelHealth;
}

/** Model that was chosen among running servers, and why. */
export interface SelectedModel {
  /** Pass it to `new RSILoop({ model })`; absent if no server is running. */
  readonly model?: Model;
  /** Human-readable lines: which model was chosen for which purpose, or which server to start. */
  readonly why: readonly string[];
  readonly probed: readonly ProbedServer[];
}

/** Finds the running model servers and combines them into one model: the loop uses vLLM, people use Ollama. */
export async function selectModel(options: SelectModelOptions = {}): Promise<SelectedModel> {
  const probed = await probe(options);
  const well = probed.filter(({ health }) => health.ok);
  const missing = probed.filter(({ health }) => !health.ok).map(({ url, health }) => `${url}: ${health.problem}`);
  if (well.length === 0) {
    const advice =
      'no model server is running: start vLLM or Ollama, or say where they are with RSI_VLLM_URL and RSI_OLLAMA_URL';
    return { why: [advice, ...missing], probed };
  }
  const loop = joined(well.filter(({ kind }) => kind === 'vllm'));
  const [nearest] = well.filter(({ kind }) => kind === 'ollama');
  const why = [...explain(loop, nearest), ...missing];
  if (!nearest) return { ...(loop && { model: loop }), why, probed };
  const { roles, words } = rolesOf(nearest, options);
  const chat = loop ?? nearest.model;
  const model = new ModelRouter({
    modes: { loop: chat, interactive: nearest.model },
    roles,
    fallback: loop ? nearest.model : chat,
  });
  return { model, why: [...why, ...words], probed };
}

/** Runs a health check on every server; `rsi models` shows the results. */
export async function probe(options: SelectModelOptions): Promise<readonly ProbedServer[]> {
  const { timeoutMs = 2_000 } = options;
  const named = options.vllm ?? listed('RSI_VLLM_URL');
  const vllm = named ?? ['http://127.0.0.1:8000'];
  const ollama = options.ollama ?? listed('RSI_OLLAMA_URL') ?? ['http://127.0.0.1:11434'];
  const servers = [
    ...vllm.map((url) => ({ kind: 'vllm' as const, url, model: new VllmModel({ url, ...connection(options) }) })),
    ...ollama.map((url) => ({ kind: 'ollama' as const, url, model: new OllamaModel({ url, ...without(options) }) })),
  ];
  return Promise.all(
    servers.map(async (server) => {
      const health = await server.model.health({ timeoutMs });
      return { ...server, health: named || server.kind === 'ollama' ? health : asVllm(health) };
    }),
  );
}

/** Returns the health of a server that is supposed to be vLLM: not well if it states no version, as other servers do. */
function asVllm(health: ModelHealth): ModelHealth {
  if (!health.ok || health.version !== undefined) return health;
  const problem = 'answers, but not as vLLM does: if it speaks the OpenAI protocol, name it with RSI_VLLM_URL';
  return { ...health, ok: false, problem };
}

function joined(servers: readonly ProbedServer[]): Model | undefined {
  const models = servers.map(({ model }) => model);
  return models.length > 1 ? new ModelPool(models) : models[0];
}

function explain(loop: Model | undefined, nearest: ProbedServer | undefined): string[] {
  const lines = [];
  if (loop) lines.push(`the loop asks ${loop.name}: vLLM answers many requests in parallel`);
  if (nearest && loop) lines.push(`people ask ${nearest.model.name}, and the loop too when vLLM is down`);
  if (nearest && !loop) lines.push(`everybody asks ${nearest.model.name}: no vLLM is running`);
  return lines;
}

/** Name patterns of models by role. */
const ROLES: readonly (readonly [ModelRole, RegExp])[] = [
  ['code', /code|coder|devstral|starcoder/i],
  ['reason', /(^|[-_/:])(r1|qwq|o1)|reason|think/i],
  ['fast', /(^|[:_-])(0\.\d|[1-4](\.\d)?)b\b|mini|tiny|small/i],
];

function rolesOf({ url, health }: ProbedServer, options: SelectModelOptions) {
  const roles: Partial<Record<ModelRole | 'embed', Model>> = {};
  const words: string[] = [];
  const chat = health.models.filter((name) => !isForEmbedding(name));
  for (const [role, pattern] of ROLES) {
    const name = chat.find((each) => pattern.test(each));
    if (name === undefined || chat.length < 2) continue;
    roles[role] = new OllamaModel({ url, model: name, ...without(options) });
    words.push(`${role} goes to ${name}, by its name`);
  }
  const embedModel = health.models.find(isForEmbedding);
  if (embedModel !== undefined) {
    roles.embed = new OllamaModel({ url, embedModel, ...without(options) });
    words.push(`vectors come from ${embedModel}`);
  }
  return { roles, words };
}

function connection({ apiKey, ...rest }: SelectModelOptions) {
  return { ...without(rest), ...(apiKey !== undefined && { apiKey }) };
}

/** Drops the API key: it is for vLLM and must not be sent to Ollama. */
function without({ fetch, clock }: SelectModelOptions) {
  return { ...(fetch && { fetch }), ...(clock && { clock }) };
}

function listed(name: string): readonly string[] | undefined {
  const value = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name];
  const urls = value
    ?.split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '');
  return urls && urls.length > 0 ? urls : undefined;
}
