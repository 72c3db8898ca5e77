import { selectModel } from 'rsi-loop/models';
import { renderModels, type ServerRow } from '../models/render.js';
import { measureSpeed } from '../models/speed.js';
import { reportingErrors } from '../store/open-loop.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { widthOf } from '../terminal/lines.js';
import { paintFor } from '../terminal/paint.js';
import { plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type ExitCode, examples, type Verb } from '../verb.js';

interface Options {
  readonly vllm?: readonly string[];
  readonly ollama?: readonly string[];
  readonly speed?: true;
  readonly json?: true;
}

/** Time-out, long enough for a server that must load its model first. */
const SPEED_TIMEOUT_MS = 180_000;

/** The verb `rsi models`: lists the reachable model servers and what a loop would do with them. */
export const models: Verb = {
  register(program, done) {
    program
      .command('models')
      .summary('which model servers can be reached, and how fast they are')
      .description(
        'Asks vLLM and Ollama servers whether they are there, what they serve and how busy they are, and says what selectModel() would choose. Without addresses it looks at RSI_VLLM_URL and RSI_OLLAMA_URL, else at the usual ports of this machine. Ends with exit code 1 when none can be reached.',
      )
      .addHelpText(
        'after',
        examples(
          ['models', 'on this machine'],
          ['models --vllm http://gpu1:8000 http://gpu2:8000 --speed', 'two servers, measured'],
        ),
      )
      .option('--vllm <url...>', 'addresses of vLLM, or of other servers that speak the OpenAI protocol')
      .option('--ollama <url...>', 'addresses of Ollama')
      .option('--speed', 'ask each server a short question and measure the answer; this may load a model')
      .option('--json', 'print one JSON document instead')
      .action(async (options: Options) => {
        done(await reportingErrors(() => run(options)));
      });
  },
};

async function run({ vllm, ollama, speed, json }: Options): Promise<ExitCode> {
  const { signal, release } = onInterrupt();
  const named = vllm !== undefined || ollama !== undefined;
  const { why, probed } = await selectModel(named ? { vllm: vllm ?? [], ollama: ollama ?? [] } : {});
  const rows: ServerRow[] = [];
  for (const { kind, url, model, health } of probed) {
    if (!speed || !health.ok) rows.push({ kind, url, health });
    else {
      const call = { timeoutMs: SPEED_TIMEOUT_MS, signal };
      const measured = await measureSpeed(model, () => performance.now(), call).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        return undefined;
      });
      rows.push({ kind, url, health, ...(measured && { speed: measured }) });
    }
  }
  release();
  const look = { width: widthOf(process.stdout), paint: paintFor(process.stdout) };
  // The row of an unreachable server already shows its message.
  const chosen = why.filter((line) => !rows.some(({ url }) => line.startsWith(`${url}: `)));
  const text = json
    ? `${plainJson({ format: 'rsi-models/1', servers: rows, why })}\n`
    : renderModels(rows, chosen, look);
  await write(process.stdout, text);
  if (signal.aborted) return EXIT.interrupted;
  return probed.some(({ health }) => health.ok) ? EXIT.done : EXIT.attention;
}
