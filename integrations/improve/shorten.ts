import type { Random } from 'rsi-loop/kit';
import { Estimates } from './estimates.js';
import type { Improvement } from './improvement.js';
import type { Round, Shortening } from './improvement-step.js';
import { withParts } from './search.js';
import type { PlannedVersion, Version } from './version.js';

/** Version to compare with another one on the held-out half. */
export interface ToProve {
  readonly version: PlannedVersion;
  /** Id of the version that it is compared with. */
  readonly baseline: string;
  /** Set if it is a kept draft with fewer changes. */
  readonly shortens?: Shortening;
}

/**
 * Least gain of a change, in standard deviations of its estimate: a strict one first, and the next if the rest does not hold the
 * gain. (`docs/decisions/0606-shorter-drafts.md`)
 */
const LEAST = [1.5, 1] as const;
/** Versions with random halves of the changes that are run to tell the changes apart. */
const STUDIED = 20;

/** Draft that the last round kept and that was not shortened, with the changes that its proof is about. */
interface Kept {
  readonly round: Round;
  readonly version: Version;
  /** Version that it was compared with; absent if that was never run. */
  readonly baseline: Version | undefined;
  readonly isNew: (part: string) => boolean;
}

/**
 * Returns the draft that was kept last, without the changes that the runs on the open half do not show to help;
 * `undefined` if all of them do, or if none of its shorter versions held the gain.
 */
export function nextShortening(improvement: Improvement): ToProve | undefined {
  const kept = lastKept(improvement);
  if (!kept) return undefined;
  // The rest must be proven to gain as much as the whole was: its measured gain is too high, as it was stopped when it was high.
  const gain = Math.max(0, kept.round.comparison?.gain.low ?? 0);
  const estimates = new Estimates(improvement);
  const { round, version: whole, isNew } = kept;
  const tried = improvement.rounds.filter(({ shortens }) => shortens?.version === whole.id);
  for (const least of LEAST.slice(tried.length)) {
    const version = withParts(improvement, kept, (part) => !isNew(part) || estimates.sureness(part) >= least);
    const isOther = version.parts.some(isNew) && version.parts.length < whole.parts.length;
    if (isOther && tried.every((one) => one.version !== version.id))
      return { version, baseline: round.baseline, shortens: { version: whole.id, gain } };
  }
  return undefined;
}

/** Returns versions with a random half of the new changes of the kept draft each: runs of them tell the changes apart. */
export function studyOf(improvement: Improvement, random: Random): readonly PlannedVersion[] {
  const kept = lastKept(improvement);
  const { drafted, steps, isStudied } = improvement.current;
  if (!kept || improvement.rounds.at(-1) !== kept.round || drafted || steps > 0 || isStudied) return [];
  const { version, isNew } = kept;
  if (version.parts.filter(isNew).length < 2) return [];
  return Array.from({ length: STUDIED }, () => withParts(improvement, kept, (part) => !isNew(part) || random() < 0.5));
}

function lastKept({ rounds, archive }: Improvement): Kept | undefined {
  const round = rounds.findLast(({ shortens }) => !shortens);
  const version = archive.find(({ id }) => id === round?.version);
  if (!round?.isKept || !version || version.decision?.kind === 'rejected') return undefined;
  if (rounds.some(({ shortens, isKept }) => isKept && shortens?.version === version.id)) return undefined;
  const baseline = archive.find(({ id }) => id === round.baseline);
  return { round, version, baseline, isNew: (part) => !baseline?.parts.includes(part) };
}
