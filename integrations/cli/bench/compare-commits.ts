import { relative } from 'node:path';
import { LoopError } from 'rsi-loop';
import type { BenchHistory, Problem, ProblemRunner, Variant } from 'rsi-loop/bench';
import type { ExitCode } from '../exit.js';
import { notice } from '../terminal/output.js';
import { AgentSide } from './agent-side.js';
import { benchPath } from './bench-file.js';
import { type BenchSettings, BenchWork } from './bench-work.js';
import { type CommitFolder, type Range, withCommits } from './commit-folders.js';

interface CompareSettings extends BenchSettings {
  readonly file?: string;
  readonly suite?: string;
}

/**
 * Compares two commits of the agent on the problems that both have. Each runs in a process and a folder of its own, and they
 * take turns problem by problem.
 * @throws LoopError `invalid-input` for a commit or a benchmark that cannot be read, or without a common problem.
 */
export function compareCommits(range: Range, history: BenchHistory, settings: CompareSettings): Promise<ExitCode> {
  const file = relative(process.cwd(), benchPath(settings.file));
  return withCommits(range, file, async ([before, after]) => {
    const sides: AgentSide[] = [];
    try {
      for (const { name, folder } of [before, after])
        sides.push(
          await AgentSide.open({ name, folder, file, ...(settings.suite !== undefined && { suite: settings.suite }) }),
        );
      const [old, fresh] = sides as [AgentSide, AgentSide]; // one for each commit
      const { runner, leftOut } = pairOf(old, fresh);
      if (leftOut > 0) await notice(`${leftOut} problems are not the same in both, and are left out`);
      return await new BenchWork(runner, history, settings).race(runner, [variantOf(after)], variantOf(before));
    } finally {
      for (const side of sides) side.close();
    }
  });
}

function variantOf({ name, commit }: CommitFolder): Variant {
  return { name, policy: { commit } };
}

/** Returns the problems that two versions share, with a way to run each version. The first one is the baseline. */
function pairOf(before: AgentSide, after: AgentSide): { readonly runner: ProblemRunner; readonly leftOut: number } {
  const known = new Map(before.problems.map((problem) => [problem.id, JSON.stringify(problem)]));
  const problems: readonly Problem[] = after.problems.filter((one) => known.get(one.id) === JSON.stringify(one));
  if (problems.length === 0)
    throw new LoopError('invalid-input', `${before.name} and ${after.name} have no problem in common`);
  const runner: ProblemRunner = {
    name: after.suite,
    problems,
    run: (problem, variant) => (variant?.name === before.name ? before : after).run(problem),
  };
  return { runner, leftOut: Math.max(before.problems.length, after.problems.length) - problems.length };
}
