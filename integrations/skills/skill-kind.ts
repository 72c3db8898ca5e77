import type { ChangeKind, Fix, FixOf, SkillChange, TaskStatistics } from 'rsi-loop';
import { type LoopHandle, partsOf, textVersions } from 'rsi-loop/kit';

/** Tasks that must have been started through the loop before a skill can be tried on them. */
const MIN_MANAGED = 20;

/**
 * Creates the kind `skill`: versions of skills, offered to tasks or sessions. People propose them, so `propose` finds
 * none. `canOffer` returns whether this process has a version.
 */
function skillKind(canOffer: (change: SkillChange) => boolean): ChangeKind<SkillChange> {
  return {
    kind: 'skill',
    propose: () => [],
    effect: ({ name, hash }) => ({ given: { skill: name, version: hash } }),
    content: ({ name, hash }) => ({ skill: name, version: hash }),
    // Two versions of one skill exclude each other.
    sets: ({ name }) => [name],
    unit: ({ unit }) => unit,
    needs: ({ scope }, { task }) => whatIsMissing(scope.task ?? '', task),
    canApply: canOffer,
    describe,
  };
}

/** Returns whether a fix offers a skill. */
export function isSkillFix(fix: Fix): fix is FixOf<SkillChange> {
  return fix.change.kind === 'skill';
}

function whatIsMissing(name: string, task: TaskStatistics | undefined): string | undefined {
  if ((task?.managed ?? 0) >= MIN_MANAGED) return undefined;
  return `call loop.run(${JSON.stringify(name)}, ({ given }) => ...) and offer skills.nearest(text, { given })`;
}

function describe({ change: { name, hash, description, asks, unit } }: FixOf<SkillChange>) {
  const access = asks.length === 0 ? 'no access to network or files' : `access to ${asks.join(', ')}`;
  return {
    title: `skill ${name}, version ${textVersions.shortVersion(hash)} (${access}): ${description}`,
    undo: `withdraws skill ${name}`,
    inForce: `every ${unit} that begins may get the skill`,
    rolledBack: 'the skill is not offered any more',
  };
}

/**
 * Lets a loop describe and decide fixes that offer skills. `canOffer` returns whether this process has a version;
 * several folders on one loop each offer their own.
 */
export function addSkillKind(loop: LoopHandle, canOffer: (hash: string) => boolean = () => false): void {
  const { companionKinds } = partsOf(loop);
  const others = companionKinds.get('skill');
  companionKinds.set(
    'skill',
    skillKind((change) => canOffer(change.hash) || others?.canApply?.(change) === true),
  );
}
