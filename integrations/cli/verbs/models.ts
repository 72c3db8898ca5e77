import { Option } from 'commander';
import { selectModel } from 'rsi-loop/models';
import type { ModelsConfig } from '../config/sections/models-section.js';
import { EXIT } from '../exit.js';
import { foundKeys, remoteLines, remoteRow } from '../models/remote.js';
import { renderModels, type ServerRow } from '../models/render-models.js';
import { measureSpeed } from '../models/speed.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { lookAt } from '../terminal/look.js';
import { print } from '../terminal/output.js';
import { jsonOption, storeOption, verb } from '../verb.js';

interface Options {
  readonly vllm?: readonly string[];
  readonly ollama?: readonly string[];
  readonly speed?: true;
  readonly remote?: true;
  readonly store: string;
  readonly json?: true;
}

/** Time-out, long enough for a server that must load its model first. */
const SPEED_TIMEOUT_MS = 180_000;

/** The verb `rsi models`: lists the reachable model servers and what a loop would do with them. */
export const models = verb<Options>({
  description:
    'Asks vLLM and Ollama servers which models they serve and how busy they are, and prints what selectModel() would choose. Without addresses it uses RSI_VLLM_URL and RSI_OLLAMA_URL, or else the usual ports of this machine. It also names the keys of remote providers that the environment holds, and what the remote model of rsi.config would cost; it calls no provider without --remote. Ends with exit code 1 if there is neither a local server nor a usable remote model.',
  examples: [
    ['models', 'on this machine'],
    ['models --vllm http://gpu1:8000 --speed', 'one server, measured'],
    ['models --remote', 'also check the key of the remote model'],
  ],
  options: [
    new Option('--vllm <url...>', 'addresses of vLLM, or of other servers that speak the OpenAI protocol'),
    new Option('--ollama <url...>', 'addresses of Ollama'),
    new Option('--speed', 'ask each server a short question and measure the answer; this may load a model'),
    new Option('--remote', 'ask the provider of models.remote for its list of models, which is free'),
    storeOption(),
    jsonOption(),
  ],
  run: async ({ vllm, ollama, speed, remote: ask = false, store, json }, _argument, config) => {
    const { models: configured } = (await config()).values;
    const { signal, release } = onInterrupt();
    const keys = foundKeys(process.env);
    const remote = configured?.remote && (await remoteRow(configured.remote, store, { ask, signal }));
    const named = vllm !== undefined || ollama !== undefined;
    const places = named ? { vllm: vllm ?? [], ollama: ollama ?? [] } : placesOf(configured);
    const { why, probed } = await selectModel(places);
    const servers: ServerRow[] = [];
    for (const { kind, url, model, health } of probed) {
      const limits = { timeoutMs: SPEED_TIMEOUT_MS, signal };
      const measured =
        speed && health.ok
          ? await measureSpeed(model, () => performance.now(), limits).catch(unless(signal))
          : undefined;
      servers.push({ kind, url, health, ...(measured && { speed: measured }) });
    }
    release();
    // The row of an unreachable server already shows its message.
    const chosen = why.filter((line) => !servers.some(({ url }) => line.startsWith(`${url}: `)));
    const text = renderModels(servers, chosen, remoteLines(keys, remote), lookAt(process.stdout));
    await print({ document: { format: 'rsi-models/1', servers, why, keys, ...(remote && { remote }) }, text }, json);
    if (signal.aborted) return EXIT.interrupted;
    const isRemoteUsable = remote !== undefined && remote.problem === undefined && remote.health?.ok !== false;
    return isRemoteUsable || probed.some(({ health }) => health.ok) ? EXIT.done : EXIT.attention;
  },
});

function placesOf({ vllm, ollama }: ModelsConfig = {}) {
  return { ...(vllm && { vllm }), ...(ollama && { ollama }) };
}

/** Returns an error handler that rethrows, except after an interrupt. */
function unless(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}
