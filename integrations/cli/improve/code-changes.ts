import { LoopError } from 'rsi-loop';
import type { CodePatch, Suite } from 'rsi-loop/bench';
import { type CodeChange, type CodeProject, codeProject, evidenceOf, exposedAnswers } from 'rsi-loop/improve';
import type { Deciding } from '../../reports/approve-version.js';
import type { FoundVersion } from '../../reports/kept-improvements.js';
import { counted } from '../../reports/words/numbers.js';
import type { Configuration } from '../config/load.js';
import { notice } from '../terminal/output.js';

const EXAMPLE = "improve: { project: { folder: '.', allow: ['src/**'], test: ['node', '--test'] } }";
const COMMIT = /\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/;

/**
 * Opens the repository of the configuration, passes it to `work`, and closes it.
 * @throws LoopError `invalid-input` if the configuration names none.
 */
export async function withProject<Result>(
  { values: { improve } }: Configuration,
  work: (project: CodeProject) => Promise<Result>,
): Promise<Result> {
  if (!improve?.project)
    throw new LoopError('invalid-input', `no repository is configured: write ${EXAMPLE} in rsi.config.ts`);
  const project = await codeProject(improve.project);
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}

/** Returns the change whose id begins with `asked`; undefined if there is none, or no repository is configured. */
export async function findChange(config: Configuration, asked: string | undefined): Promise<CodeChange | undefined> {
  if (!config.values.improve?.project || asked === undefined || asked === '') return undefined;
  const changes = await withProject(config, (project) => project.changes());
  const found = changes.filter(({ id }) => id.startsWith(asked));
  return found.length === 1 ? found[0] : undefined;
}

/** Names the files of the repository that candidates can read and that have expected answers of the suite. */
export async function noticeExposed({ problems }: Suite, { values: { improve } }: Configuration): Promise<void> {
  if (!improve?.project) return;
  for (const { path, problems: found } of await exposedAnswers(improve.project, problems))
    await notice(
      `warning: candidates can read ${path}, which has expected answers of ${counted(found.length, 'problem')}: name it in improve.project.hide`,
    );
}

/** Merges a proven version that changes files, as one commit. Doing it again after a kill completes it. */
export async function mergeVersion(
  project: CodeProject,
  { of, version }: FoundVersion,
  deciding: Deciding,
): Promise<CodeChange> {
  // A kill after its commit leaves it merged on a branch that has moved.
  const merged = (await project.changes()).findLast((change) => isOf(change, of.suite, version.variant.code ?? {}));
  if (merged?.status === 'merged') return merged;
  const measured = COMMIT.exec(of.suite)?.[0];
  if (measured !== undefined && measured !== project.base) {
    const at = `${measured.slice(0, 12)}, and ${project.branch} is at ${project.base.slice(0, 12)}`;
    throw new LoopError('illegal-step', `version ${version.id} was measured on ${at}: measure it again`);
  }
  const evidence = evidenceOf({ best: version.variant, rounds: of.improvement.rounds }, { suite: of.suite });
  const change = await project.submit(version.variant, evidence);
  return change.status === 'merged' ? change : project.approve(change.id, personOf(deciding));
}

function isOf({ code, evidence }: CodeChange, suite: string, wanted: CodePatch): boolean {
  return evidence.suite === suite && Object.entries(code).every(([path, text]) => wanted[path] === text);
}

/** @throws LoopError `invalid-input` without a reason: it becomes part of the commit. */
export function personOf({ by, reason }: Deciding): { readonly by: string; readonly reason: string } {
  if (reason !== undefined && reason.trim() !== '') return { by, reason };
  throw new LoopError('invalid-input', 'a decision on code needs a reason: give one with --reason');
}
