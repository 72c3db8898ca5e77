import { Option } from 'commander';
import { selectModel } from 'rsi-loop/models';
import { EXIT } from '../exit.js';
import { renderModels, type ServerRow } from '../models/render.js';
import { measureSpeed } from '../models/speed.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { lookAt } from '../terminal/look.js';
import { print } from '../terminal/output.js';
import { jsonOption, verb } from '../verb.js';

interface Options {
  readonly vllm?: readonly string[];
  readonly ollama?: readonly string[];
  readonly speed?: true;
  readonly json?: true;
}

/** Time-out, long enough for a server that must load its model first. */
const SPEED_TIMEOUT_MS = 180_000;

/** The verb `rsi models`: lists the reachable model servers and what a loop would do with them. */
export const models = verb<Options>({
  description:
    'Asks vLLM and Ollama servers which models they serve and how busy they are, and prints what selectModel() would choose. Without addresses it uses RSI_VLLM_URL and RSI_OLLAMA_URL, or else the usual ports of this machine. Ends with exit code 1 if no server can be reached.',
  examples: [
    ['models', 'on this machine'],
    ['models --vllm http://gpu1:8000 --speed', 'one server, measured'],
  ],
  options: [
    new Option('--vllm <url...>', 'addresses of vLLM, or of other servers that speak the OpenAI protocol'),
    new Option('--ollama <url...>', 'addresses of Ollama'),
    new Option('--speed', 'ask each server a short question and measure the answer; this may load a model'),
    jsonOption(),
  ],
  run: async ({ vllm, ollama, speed, json }) => {
    const { signal, release } = onInterrupt();
    const named = vllm !== undefined || ollama !== undefined;
    const { why, probed } = await selectModel(named ? { vllm: vllm ?? [], ollama: ollama ?? [] } : {});
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
    const text = renderModels(servers, chosen, lookAt(process.stdout));
    await print({ document: { format: 'rsi-models/1', servers, why }, text }, json);
    if (signal.aborted) return EXIT.interrupted;
    return probed.some(({ health }) => health.ok) ? EXIT.done : EXIT.attention;
  },
});

/** Returns an error handler that rethrows, except after an interrupt. */
function unless(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}
