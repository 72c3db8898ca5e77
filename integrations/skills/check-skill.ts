import { LoopError, SystemClock } from 'rsi-loop';
import { messageOf, mustBe, showValue } from 'rsi-loop/kit';
import type { LedgerLog } from 'rsi-loop/testing';
import { certificateProblems, hashAt, readCertificate } from './certificate.js';
import { Facts } from './facts.js';
import { runTests, sentenceOf } from './run-tests.js';
import type { Sandbox } from './sandbox.js';
import { SharingSandbox } from './shared-code.js';
import type { SkillFiles, SkillText } from './skill.js';
import { CERTIFICATE, readSkill, summaryOf, textFile } from './skill-files.js';
import type { SkillFolder } from './skill-folder.js';

/** Options of `checkSkillFiles`. */
export interface CheckOptions {
  /** Runs the tests again. Default: they are not run. */
  readonly sandbox?: Sandbox;
  /** Folder whose skills its code may import. Default: none. */
  readonly folder?: SkillFolder;
  /** Ledger of the loop that proved the skill. Default: the certificate is only checked against itself. */
  readonly ledger?: LedgerLog;
}

/** Result of checking the files of a skill. */
export interface SkillCheck {
  readonly name: string;
  readonly ok: boolean;
  /** `proven`: it has a certificate that holds. `tested`: its tests ran and passed. */
  readonly state: 'proven' | 'tested' | 'unknown';
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** Checks a skill offline: its files, its hash, its tests and its certificate. */
export async function checkSkillFiles(
  name: string,
  files: SkillFiles,
  { sandbox, folder, ledger }: CheckOptions = {},
): Promise<SkillCheck> {
  mustBe(typeof name === 'string', 'name', showValue(name), 'the name of a skill');
  const problems: string[] = [];
  const notes: string[] = [];
  const skill = readable(name, files, problems);
  if (!skill) return { name, ok: false, state: 'unknown', problems, notes };
  const { suspect } = summaryOf(skill);
  if (suspect !== undefined) problems.push(`reads like an instruction: ${suspect}`);
  const runner = sandbox && folder ? sharing(sandbox, folder) : sandbox;
  const report = runner && skill.code ? await runTests(skill, runner) : undefined;
  if (report) (report.working ? notes : problems).push(sentenceOf(report));
  const proof = textFile(files, CERTIFICATE);
  if (proof !== undefined) problems.push(...(await proofProblems(skill, proof, ledger)));
  else notes.push('no certificate: the skill is not proven');
  const isProven = proof !== undefined && problems.length === 0;
  const state = isProven ? 'proven' : report?.working ? 'tested' : 'unknown';
  return { name, ok: problems.length === 0, state, problems, notes };
}

function sharing(sandbox: Sandbox, folder: SkillFolder): Sandbox {
  return new SharingSandbox(sandbox, folder, new Facts(folder, new SystemClock()));
}

function readable(name: string, files: SkillFiles, problems: string[]): SkillText | undefined {
  try {
    return readSkill(name, files);
  } catch (error) {
    if (!LoopError.is(error)) throw error;
    problems.push(messageOf(error));
    return undefined;
  }
}

async function proofProblems(
  skill: SkillText,
  text: string,
  ledger: LedgerLog | undefined,
): Promise<readonly string[]> {
  const problems = certificateProblems(skill, text);
  if (!ledger || problems.length > 0) return problems;
  const { position, hash } = readCertificate(text).ledger;
  return (await hashAt(ledger, position)) === hash
    ? []
    : [`certificate: entry ${position} of this ledger is another one`];
}
