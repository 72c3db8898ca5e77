import { LoopError } from 'rsi-loop';
import type { ModelCall, ModelHealth } from 'rsi-loop/kit';
import type { RemoteParts } from './remote-options.js';

/** Returns whether a provider takes the key, by its list of models at `path`. Asking for it costs nothing. */
export async function remoteHealth(
  { name, server }: Pick<RemoteParts, 'name' | 'server'>,
  path: string,
  { signal, timeoutMs = 5_000 }: Pick<ModelCall, 'signal' | 'timeoutMs'>,
  modelsIn: (said: unknown) => readonly string[],
): Promise<ModelHealth> {
  const startedMs = server.clock.monotonic();
  const end = (found: Pick<ModelHealth, 'ok' | 'models' | 'problem'>) => ({
    ...found,
    latencyMs: server.clock.monotonic() - startedMs,
  });
  try {
    const models = modelsIn(await server.json(name, { path, signal, timeoutMs }));
    return end(models.length > 0 ? { ok: true, models } : { ok: false, models, problem: `${name} lists no model` });
  } catch (error) {
    return end({ ok: false, models: [], problem: LoopError.is(error) ? error.message : String(error) });
  }
}
