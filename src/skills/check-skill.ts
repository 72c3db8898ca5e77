import { LoopError } from '../contract/errors.js';
import type { LedgerLog } from '../contract/ledger-log.js';
import type { Sandbox } from '../contract/sandbox.js';
import { messageOf } from '../lib/text.js';
import { certificateProblems, hashAt, readCertificate } from './certificate.js';
import { runTests, sentenceOf } from './run-tests.js';
import type { Skill } from './skill.js';
import { CERTIFICATE, readSkill, type SkillFiles, summaryOf } from './skill-files.js';

export interface CheckOptions {
  /** Runs the tests again. Default: they are not run. */
  readonly sandbox?: Sandbox;
  /** Ledger of the loop that proved the skill. Default: the certificate is only checked against itself. */
  readonly ledger?: LedgerLog;
}

/** Result of checking the files of a skill. */
export interface SkillCheck {
  readonly name: string;
  readonly ok: boolean;
  /** `proven`: it has a certificate that holds. `tested`: its hash is the tested one. */
  readonly state: 'proven' | 'tested' | 'unknown';
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** Checks a skill offline: its files, its hash, its tests and its certificate. */
export async function checkSkillFiles(
  name: string,
  files: SkillFiles,
  { sandbox, ledger }: CheckOptions = {},
): Promise<SkillCheck> {
  const problems: string[] = [];
  const notes: string[] = [];
  const skill = readable(name, files, problems);
  if (!skill) return { name, ok: false, state: 'unknown', problems, notes };
  problems.push(...faultsOf(skill));
  if (skill.deprecated !== undefined) notes.push(`deprecated: ${skill.deprecated}`);
  if (sandbox && skill.code) {
    const report = await runTests(skill, sandbox);
    (report.working ? notes : problems).push(sentenceOf(report));
  }
  const proof = files.get(CERTIFICATE);
  if (typeof proof === 'string') problems.push(...(await proofProblems(skill, proof, ledger)));
  else notes.push('no certificate: the skill is not proven');
  const state =
    skill.status !== 'working' ? 'unknown' : typeof proof === 'string' && problems.length === 0 ? 'proven' : 'tested';
  return { name, ok: problems.length === 0, state, problems, notes };
}

function faultsOf(skill: Skill): readonly string[] {
  const { suspect } = summaryOf(skill);
  return [
    ...(suspect === undefined ? [] : [`the description reads like an instruction: ${suspect}`]),
    ...(skill.code && skill.status === 'untested'
      ? ['the files are not the ones that were tested: run its tests']
      : []),
    ...(skill.status === 'failed' ? ['its tests fail'] : []),
  ];
}

function readable(name: string, files: SkillFiles, problems: string[]): Skill | undefined {
  try {
    return readSkill(name, files);
  } catch (error) {
    if (!LoopError.is(error)) throw error;
    problems.push(messageOf(error));
    return undefined;
  }
}

async function proofProblems(skill: Skill, text: string, ledger: LedgerLog | undefined): Promise<readonly string[]> {
  const problems = certificateProblems(skill, text);
  if (!ledger || problems.length > 0) return problems;
  const { position, hash } = readCertificate(text).ledger;
  return (await hashAt(ledger, position)) === hash
    ? []
    : [`certificate: entry ${position} of this ledger is another one`];
}
