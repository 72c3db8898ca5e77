import type { SkillChange } from '../contract/change.js';
import { LoopError } from '../contract/errors.js';
import type { Fix, FixOf } from '../contract/fix.js';
import type { JsonObject } from '../contract/json.js';
import type { Answer } from '../engine/check-arguments.js';
import type { Components } from '../engine/components.js';
import { proposeIdea } from '../engine/propose-idea.js';
import { unitOfTexts } from '../fix/kinds/prompt/kind.js';
import { isSkillFix } from '../fix/kinds/skill.js';
import { isObject } from '../lib/is-object.js';
import { showValue } from '../lib/text.js';
import { shortVersion } from '../lib/text-version.js';
import { accessWords } from './access.js';
import type { Skill, SkillSummary } from './skill.js';

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
  components: Components,
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
      `version ${shortVersion(skill.hash)} of ${skill.name} is ${before.status}: see rsi explain ${before.id}`,
    );
  const change: SkillChange = {
    kind: 'skill',
    scope: { task: name },
    name: skill.name,
    hash: skill.hash,
    description: skill.description,
    asks: accessWords(skill),
    unit: unitOfTexts(task),
    undo: { withdraw: skill.hash },
  };
  const target = `${skill.name}@${shortVersion(skill.hash)}`;
  return proposeIdea(components, task, { target, change, by, reason: reason ?? `proposed by ${by}` });
}
