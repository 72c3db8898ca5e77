import { addSpent, NOTHING_SPENT, type Spent, type Variant } from 'rsi-loop/bench';
import { readAs } from 'rsi-loop/kit';
import type { VersionDecision } from './decision.js';
import type { Hypothesis } from './hypothesis.js';
import type { Ended, ImprovementStep, Round } from './improvement-step.js';
import type { ScoredProposal } from './proposal.js';
import { type ScoredVersion, type Version, versionId } from './version.js';

/** Improvement so far. Nothing has been applied: a person decides what becomes of the best version. */
export interface Improvement {
  /** Version at the start. */
  readonly start: Variant;
  /** Best version: the kept drafts together, without rejected ones. The version at the start, if there is none. */
  readonly best: Variant;
  readonly rounds: readonly Round[];
  readonly tried: readonly ScoredProposal[];
  /** Every version that was scored, oldest first. `versionTree` shows the descent. */
  readonly archive: readonly Version[];
  readonly spent: Spent;
  /** Round in progress. */
  readonly current: CurrentRound;
  /** Absent while it runs, and after its process was killed. */
  readonly ended?: Ended;
}

/** Round in progress, with the steps that the next one needs. */
export interface CurrentRound {
  /** From 1. */
  readonly round: number;
  /** Finished steps of the draft. */
  readonly steps: number;
  /** Runs of the last step. */
  readonly stepRuns: number;
  /** Whether the changes of the draft that was kept before were run in random halves. */
  readonly isStudied?: boolean;
  readonly measured?: StepOf<'measured'>;
  readonly planned?: StepOf<'planned'>;
  /** Set once the draft is complete. */
  readonly drafted?: StepOf<'drafted'>;
}

type StepOf<Kind extends ImprovementStep['kind']> = Extract<ImprovementStep, { kind: Kind }>;

/** Returns an improvement from its steps, for example from those of a `FileLog`. */
export function improvementOf(steps: readonly ImprovementStep[]): Improvement {
  const start: Improvement = {
    start: {},
    best: {},
    rounds: [],
    tried: [],
    archive: [],
    spent: NOTHING_SPENT,
    current: { round: 1, steps: 0, stepRuns: 0 },
  };
  return readAs('steps', 'the steps of a log', () => steps.reduce(afterStep, start));
}

/** Returns the improvement after one more step. */
export function afterStep({ ended, ...before }: Improvement, step: ImprovementStep): Improvement {
  const improvement = { ...before, spent: addSpent(before.spent, step.spent) };
  const { current } = improvement;
  switch (step.kind) {
    case 'started':
      return { ...improvement, start: step.start, best: step.start };
    case 'resumed':
      return improvement;
    case 'measured':
      return { ...withVersions(improvement, [step.version]), current: { ...current, measured: step } };
    case 'planned':
      return { ...improvement, current: { ...current, planned: step } };
    case 'drafted':
      return { ...withVersions(improvement, [step.version]), current: { ...current, drafted: step } };
    case 'scored': {
      const tried = [...improvement.tried, ...step.tried];
      const { round, steps, stepRuns: before, measured } = current;
      const stepRuns = (measured?.spent.runs ?? 0) + step.spent.runs;
      const isStudy = step.tried.length === 0;
      return {
        ...withVersions({ ...improvement, tried }, step.versions),
        current: isStudy ? { round, steps, stepRuns: before, isStudied: true } : { round, steps: steps + 1, stepRuns },
      };
    }
    case 'decided':
      return decided(improvement, step);
    case 'approved':
    case 'rejected':
      return judged({ ...improvement, ...(ended && { ended }) }, step);
    case 'ended':
      return { ...improvement, ended: step.why };
    default:
      return step satisfies never;
  }
}

function decided(improvement: Improvement, step: Extract<ImprovementStep, { kind: 'decided' }>): Improvement {
  const { kind: _, atMs: _at, spent: _spent, ...round } = step;
  const archive = improvement.archive.map((version) =>
    round.comparison && version.id === round.version
      ? { ...version, comparison: round.comparison, isKept: round.isKept }
      : version,
  );
  const rounds = [...improvement.rounds, round];
  const best = bestOf({ ...improvement, rounds, archive });
  const { stepRuns } = improvement.current;
  return { ...improvement, best, archive, rounds, current: { round: round.round + 1, steps: 0, stepRuns } };
}

/** Keeps a decision. After a rejection, the version before is the best one; a comparison in progress goes on. */
function judged(
  improvement: Improvement,
  step: Extract<ImprovementStep, { kind: VersionDecision['kind'] }>,
): Improvement {
  const { kind, version: id, by, atMs, reason } = step;
  const decision = { kind, by, atMs, ...(reason !== undefined && { reason }) };
  const archive = improvement.archive.map((version) => (version.id === id ? { ...version, decision } : version));
  return { ...improvement, archive, best: bestOf({ ...improvement, archive }) };
}

/** Returns the newest version that is kept and not rejected; the one at the start, if there is none. */
function bestOf({ rounds, archive, start }: Improvement): Variant {
  const rejected = new Set(archive.flatMap(({ id, decision }) => (decision?.kind === 'rejected' ? id : [])));
  return rounds.findLast(({ isKept, version }) => isKept && !rejected.has(version))?.draft ?? start;
}

/** Adds versions, or the new runs of known ones. */
function withVersions(improvement: Improvement, versions: readonly ScoredVersion[]): Improvement {
  const archive = [...improvement.archive];
  for (const version of versions) {
    const place = archive.findIndex(({ id }) => id === version.id);
    const known = archive[place];
    if (known) archive[place] = withRuns(known, version);
    else archive.push({ ...version, hypotheses: hypothesesOf(improvement.tried, version.parts), isKept: false });
  }
  return { ...improvement, archive };
}

function withRuns(known: Version, { score, runs }: ScoredVersion): Version {
  const all = known.runs + runs;
  return { ...known, score: all === 0 ? 0 : (known.score * known.runs + score * runs) / all, runs: all };
}

function hypothesesOf(tried: readonly ScoredProposal[], parts: readonly string[]): readonly Hypothesis[] {
  return parts.flatMap((part) => {
    const proposal = tried.find((one) => one.part === part);
    if (!proposal) return [];
    const { hypothesis, expectedGain } = proposal;
    return [{ hypothesis, ...(expectedGain !== undefined && { expectedGain }) }];
  });
}

/** Returns the version of the archive with the texts and settings of a variant. */
export function versionOf(archive: readonly Version[], variant: Variant): Version | undefined {
  const id = versionId(variant);
  return archive.find((version) => version.id === id);
}

/** Returns the best version if it is proven better and waits for a person. */
export function waitingVersion({ archive, best }: Pick<Improvement, 'archive' | 'best'>): Version | undefined {
  const version = versionOf(archive, best);
  return version?.isKept && !version.decision ? version : undefined;
}
