import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { LoopError, RSILoop } from 'rsi-loop';
import { type OrchestrateOptions, type OrchestratingLoop, orchestrate, type RunResult } from 'rsi-loop/orchestrate';
import { moment } from '../../reports/words/numbers.js';
import { isObject } from '../config/check-config.js';
import { loadConfigFile } from '../config/load-file.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { notice } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import { shortPath } from '../terminal/short-path.js';
import { progressOf } from './render-runs.js';

/** Code of a run, as the file of `--module` exports it. */
interface RunModule extends Pick<OrchestrateOptions, 'workers' | 'plan' | 'planLimits' | 'concurrency' | 'budget'> {
  readonly loop?: OrchestratingLoop & { close(): Promise<void> };
}

const EXAMPLE = 'export const workers = { search: async (task) => ... }';

/** Continues a run with the workers of a file, and shows its progress. Ctrl-C stops it in order. */
export async function continueRun(
  folder: string,
  id: string,
  file: string | undefined,
  retry: boolean,
): Promise<RunResult> {
  const { loop = new RSILoop(), ...module } = await loadModule(file);
  const progress = new Progress(process.stderr);
  const { signal, release } = onInterrupt(['SIGINT', 'SIGTERM']);
  try {
    return await orchestrate(loop, {
      ...module,
      ...{ id, folder, signal, retry },
      onStep: (step, state) => {
        if (step.kind === 'failed') {
          progress.clear();
          void notice(`${step.task} failed: ${step.error}`);
        } else if (step.kind === 'retrying') {
          progress.clear();
          void notice(`${step.task} failed, and begins again at ${moment(step.notBeforeMs)}: ${step.error}`);
        }
        progress.show(() => `${id}: ${progressOf(state)}`);
      },
      onStop: ({ message }) => void notice(`stopped: ${message}`),
    });
  } finally {
    progress.clear();
    release();
    await loop.close();
  }
}

/** @throws LoopError `invalid-input` naming the file, and what it lacks. */
async function loadModule(file: string | undefined): Promise<RunModule> {
  if (file === undefined) {
    const message = 'a run needs the code of the workers: --module names a file that exports them';
    throw new LoopError('invalid-input', `${message}, such as "${EXAMPLE}"`);
  }
  const path = resolve(file);
  if (!existsSync(path))
    throw new LoopError('invalid-input', `there is no file ${shortPath(path)}: it says "${EXAMPLE}"`);
  const content = await loadConfigFile(path, EXAMPLE);
  if (!isObject(content) || !isObject(content.workers))
    throw new LoopError('invalid-input', `${shortPath(path)} exports no workers: write "${EXAMPLE}"`);
  const { workers, plan, planLimits, concurrency, budget, loop } = content;
  const given = { workers, plan, planLimits, concurrency, budget, loop };
  // `orchestrate` checks them.
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as unknown as RunModule;
}
