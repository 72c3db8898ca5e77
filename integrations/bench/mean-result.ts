import type { ProblemResult } from './bench-run.js';

/** Returns the mean of runs as one result. What a run uses is known if each of them states it. */
export function meanResult(runs: readonly ProblemResult[], problemId = runs[0]?.problemId ?? ''): ProblemResult {
  const [only] = runs;
  if (only && runs.length === 1) return { ...only, problemId };
  const mean = (of: (run: ProblemResult) => number) => runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
  return {
    problemId,
    score: mean(({ score }) => score),
    durationMs: mean(({ durationMs }) => durationMs),
    ...(runs.every(({ costUsd }) => costUsd !== undefined) && { costUsd: mean(({ costUsd }) => costUsd ?? 0) }),
    ...(runs.every(({ turns }) => turns !== undefined) && { turns: mean(({ turns }) => turns ?? 0) }),
    ...(runs.every(({ tokens }) => tokens !== undefined) && {
      tokens: { input: mean(({ tokens }) => tokens?.input ?? 0), output: mean(({ tokens }) => tokens?.output ?? 0) },
    }),
    ...(runs.some(({ cached }) => cached) && { cached: true }),
  };
}
