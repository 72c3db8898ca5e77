import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { LoopError } from 'rsi-loop';
import { APPROVED_FORMAT, type ApprovedVersion, FileLog, type ImprovementStep, readApproved } from 'rsi-loop/improve';
import type { FoundVersion } from './kept-improvements.js';

/** Decision of a person, or of a stated rule. */
export interface Deciding {
  readonly by: string;
  readonly reason?: string;
}

const NOTHING_SPENT = { runs: 0, usd: 0, tokens: 0, minutes: 0 };

/**
 * Records the approval of a version that is proven better, and writes the version to a file. Doing it again after a kill
 * completes it. Versions that change files are merged instead.
 * @throws LoopError `illegal-step` for a version that is not proven or changes files, `invalid-input` if the file is of another suite.
 */
export async function approve(
  { of, version }: FoundVersion,
  deciding: Deciding,
  { folder, file }: { readonly folder: string; readonly file: string },
): Promise<ApprovedVersion> {
  const { id, decision } = version;
  mustBeProven(version);
  if (Object.keys(version.variant.code ?? {}).length > 0)
    throw new LoopError('illegal-step', `version ${id} changes files: they are merged, not written to ${file}`);
  if (existsSync(file)) mustBeOf(file, of.suite);
  const atMs = Date.now();
  const known = decision?.kind === 'approved' && decision.by === deciding.by ? decision : undefined;
  // The record comes first: no file without a record of who approved it.
  if (!known) await record(folder, of.id, { kind: 'approved', version: id, ...deciding, atMs });
  const { name: _, ...content } = version.variant;
  const approved: ApprovedVersion = {
    format: APPROVED_FORMAT,
    suite: of.suite,
    version: id,
    ...deciding,
    approvedAt: new Date(known?.atMs ?? atMs).toISOString(),
    ...content,
  };
  // Renamed, so that the agent never reads half a file.
  const draft = `${file}.tmp`;
  writeFileSync(draft, `${JSON.stringify(approved, null, 2)}\n`);
  renameSync(draft, file);
  return approved;
}

/**
 * Records that a version was approved, and merged elsewhere.
 * @throws LoopError `illegal-step` for a version that is not proven.
 */
export async function recordApproval({ of, version }: FoundVersion, deciding: Deciding, folder: string): Promise<void> {
  mustBeProven(version);
  if (version.decision?.kind === 'approved' && version.decision.by === deciding.by) return;
  await record(folder, of.id, { kind: 'approved', version: version.id, ...deciding, atMs: Date.now() });
}

/** @throws LoopError `illegal-step` for a version that was not kept. */
export function mustBeProven({ id, isKept }: FoundVersion['version']): void {
  if (isKept) return;
  throw new LoopError(
    'illegal-step',
    `version ${id} is not proven better: only versions that were kept can be approved`,
  );
}

/**
 * Records the rejection of a version that is proven better.
 * @throws LoopError `illegal-step` for a version that was not kept, `invalid-input` without a reason.
 */
export async function reject({ of, version }: FoundVersion, deciding: Deciding, folder: string): Promise<void> {
  if (!version.isKept)
    throw new LoopError('illegal-step', `version ${version.id} was not kept: there is nothing to reject`);
  if (deciding.reason === undefined)
    throw new LoopError('invalid-input', 'a rejection needs a reason: give one with --reason');
  await record(folder, of.id, { kind: 'rejected', version: version.id, ...deciding, atMs: Date.now() });
}

type Decided = { readonly kind: 'approved' | 'rejected'; readonly version: string; readonly atMs: number } & Deciding;

async function record(folder: string, improvement: string, decided: Decided): Promise<void> {
  const log = new FileLog<ImprovementStep>(folder);
  await log.add(improvement, { ...decided, spent: NOTHING_SPENT });
  await log.close();
}

function mustBeOf(file: string, suite: string): void {
  const { suite: other } = readApproved(file);
  if (other === suite) return;
  throw new LoopError('invalid-input', `${file} has the approved version of ${other}: name another file with --write`);
}
