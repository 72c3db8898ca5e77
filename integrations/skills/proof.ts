import { type Answer, type Fix, type FixOf, type JsonObject, LoopError, type SkillChange } from 'rsi-loop';
import { askedFixes, isObject, type JudgedParts, showValue, textVersions } from 'rsi-loop/kit';
import { accessWords } from './access.js';
import type { Skill, SkillSummary } from './skill.js';
import { isSkillFix } from './skill-kind.js';

/** Share of tasks in sessions above which whole sessions get one version. */
const IN_SESSIONS = 0.5;

/** Newest fix of each version that was proposed to be proven, by the hash of the version. */
export type Proofs = ReadonlyMap<string, FixOf<SkillChange>>;

/** Finds the proofs among the fixes of a loop. */
export function proofsIn(fixes: Iterable<Fix>): Proofs {
  const newest = new Map<string, FixOf<SkillChange>>();
  for (const fix of fixes) {
    if (!isSkillFix(fix)) continue;
    const known = newest.get(fix.change.hash);
    if (!known || fix.changedMs >= known.changedMs) newest.set(fix.change.hash, fix);
  }
  return newest;
}

/**
 * Returns whether a task gets a skill. While its proof is open, only tasks of the fix arm do: `given` says so. Without a
 * proof, the tests decide alone.
 */
export function isGiven(summary: SkillSummary, proofs: Proofs, given: readonly JsonObject[] | undefined): boolean {
  switch (proofs.get(summary.hash)?.status) {
    case undefined:
    case 'applied-unverified':
    case 'expired':
    case 'superseded':
      return true;
    case 'trial':
      return hasSkill(summary, given ?? []);
    case 'confirmed':
    case 'reopened':
      return given === undefined || hasSkill(summary, given);
    default:
      return false;
  }
}

function hasSkill({ name, hash }: SkillSummary, given: readonly JsonObject[]): boolean {
  return given.some((one) => isObject(one) && one.skill === name && one.version === hash);
}

/**
 * Proposes to offer a skill to a random half of the tasks of a name, and to keep it only if they fail less.
 * @throws LoopError `invalid-input` for a task without outcomes, and a version that is or was on trial for it.
 */
export async function proposeProof(
  components: JudgedParts,
  skill: Skill,
  { task: name, by, reason }: Answer & { readonly task: string },
): Promise<Fix> {
  const { ledger, clock, analyzer } = components;
  await ledger.follow();
  const task = analyzer.tasks(clock.now()).find((one) => one.task === name);
  if (!task)
    throw new LoopError(
      'invalid-input',
      `there is no outcome of ${showValue(name)} yet: run tasks of this name first, so that there is something to compare`,
    );
  const before = proofsIn(ledger.state.fixes.values()).get(skill.hash);
  if (before && before.status !== 'expired' && before.status !== 'superseded')
    throw new LoopError(
      'invalid-input',
      `version ${textVersions.shortVersion(skill.hash)} of ${skill.name} is ${before.status}: see rsi explain ${before.id}`,
    );
  const change: SkillChange = {
    kind: 'skill',
    scope: { task: name },
    name: skill.name,
    hash: skill.hash,
    description: skill.description,
    asks: accessWords(skill),
    unit: task.inSessions >= IN_SESSIONS * task.outcomes ? 'session' : 'task',
    undo: { withdraw: skill.hash },
  };
  const target = `${skill.name}@${textVersions.shortVersion(skill.hash)}`;
  return askedFixes.proposeIdea(components, task, { target, change, by, reason: reason ?? `proposed by ${by}` });
}
