import type { Variant } from 'rsi-loop/bench';
import type { Random } from 'rsi-loop/kit';
import { type Assembly, assemble, type Part, partId } from './combine.js';
import { Estimates } from './estimates.js';
import { type Improvement, versionOf } from './improvement.js';
import type { PlannedProposal, Proposal } from './proposal.js';
import { merged, type PlannedVersion, type Version, versionId } from './version.js';

/** Gain in standard deviations at which a change returns to the draft that a shorter version left out. */
const RETURNS = 1;
/** Draws of a version until it differs from the others of its step. */
const DRAWS = 4;

/**
 * Returns the version with the highest estimated gain: all changes that seem to help, or a version of the archive with
 * more of them, if its changes exclude better ones. It contains no version that was rejected.
 */
export function draftOf(improvement: Improvement): PlannedVersion {
  const { archive, start } = improvement;
  const estimates = new Estimates(improvement);
  const parts = partsOf(improvement);
  const left = leftOut(improvement);
  const isShown = (id: string) => !left.has(id) || estimates.sureness(id) >= RETURNS;
  const gains = new Map(parts.map(({ id }) => [id, Math.min(estimates.gain(id), isShown(id) ? 1 : 0)]));
  const gainOf = (id: string) => gains.get(id) ?? 0;
  const totalOf = (version: Assembly) => version.parts.reduce((sum, id) => sum + gainOf(id), 0);
  const rejected = archive.filter(({ decision, parts }) => decision?.kind === 'rejected' && parts.length > 0);
  const isAllowed = (ids: readonly string[]) =>
    !rejected.some((version) => version.parts.every((id) => ids.includes(id)));
  let helping = parts.filter(({ id }) => gainOf(id) > 0).sort((a, b) => gainOf(b.id) - gainOf(a.id));
  for (const version of rejected) {
    const weakest = helping.findLast(({ id }) => version.parts.includes(id));
    if (version.parts.every((id) => helping.some((part) => part.id === id))) {
      helping = helping.filter((part) => part !== weakest);
    }
  }
  const together = inOrder(start, parts, helping);
  const allowed = archive.filter((version) => isAllowed(version.parts));
  const [known] = [...allowed].sort((a, b) => totalOf(b) - totalOf(a));
  const extended = known && assemble(known, helping);
  const isBetter = extended && isAllowed(extended.parts) && totalOf(extended) > totalOf(together);
  return planned(improvement, isBetter ? extended : together, versionOf(archive, improvement.best));
}

/** Returns the changes that a shorter version left out, and that are not in the best version. */
function leftOut({ rounds, archive, best }: Improvement): ReadonlySet<string> {
  const inForce = versionOf(archive, best)?.parts ?? [];
  const wholes = rounds.flatMap(({ isKept, shortens }) => (isKept && shortens ? shortens.version : []));
  const parts = archive.flatMap(({ id, parts }) => (wholes.includes(id) ? parts : []));
  return new Set(parts.filter((part) => !inForce.includes(part)));
}

/** Returns a version with those of its changes that fit. Its name lists those that `baseline` does not have. */
export function withParts(
  improvement: Improvement,
  { version, baseline }: { readonly version: Version; readonly baseline: Version | undefined },
  fits: (part: string) => boolean,
): PlannedVersion {
  const parts = partsOf(improvement);
  const wanted = parts.filter(({ id }) => version.parts.includes(id) && fits(id));
  return planned(improvement, inOrder(improvement.start, parts, wanted), baseline);
}

/** Returns the changes of new candidates. */
export function plannedProposals(parent: Variant, proposals: readonly Proposal[]): readonly PlannedProposal[] {
  return proposals.map((proposal) => ({ ...proposal, part: partId(parent, merged(parent, proposal.variant)) }));
}

/**
 * Returns a version for each candidate, with other changes that are likely to help. Each run so tells something about
 * many changes: this needs far fewer runs than one change at a time.
 */
export function plannedVersions(
  improvement: Improvement,
  parent: Version,
  proposals: readonly PlannedProposal[],
  random: Random,
): readonly PlannedVersion[] {
  const estimates = new Estimates(improvement);
  const known = partsOf(improvement);
  const fresh = proposals.map((proposal) => partOf(proposal, parent.variant));
  const parts = [...known, ...fresh.filter(({ id }) => known.every((part) => part.id !== id))];
  const versions: PlannedVersion[] = [];
  for (const candidate of fresh) {
    let version: PlannedVersion | undefined;
    // Two candidates that are always together cannot be told apart.
    for (let draws = 0; draws < DRAWS && (!version || versions.some(({ id }) => id === version?.id)); draws++) {
      const drawn = parts.map((part) => ({ part, gain: estimates.draw(part.id, random) }));
      const others = drawn.filter(({ part, gain }) => gain > 0 && part.id !== candidate.id);
      const sorted = others.sort((a, b) => b.gain - a.gain).map(({ part }) => part);
      version = withCandidate(improvement, parent, candidate, { parts, others: sorted });
    }
    if (version) versions.push(version);
  }
  return versions;
}

/** Returns a version with a candidate and as many others as possible. */
function withCandidate(
  improvement: Improvement,
  parent: Version,
  candidate: Part,
  { parts, others }: { readonly parts: readonly Part[]; readonly others: readonly Part[] },
): PlannedVersion {
  const assembly = inOrder(improvement.start, parts, [candidate, ...others]);
  if (assembly.parts.includes(candidate.id)) return planned(improvement, assembly, parent, candidate);
  // The candidate needs what its parent has.
  const own = { variant: candidate.after, parts: [...new Set([...parent.parts, candidate.id])] };
  return planned(improvement, assemble(own, others), parent, candidate);
}

/** Assembles as many parts as possible, the first ones first, in the order of their age if that is possible. */
function inOrder(start: Variant, parts: readonly Part[], wanted: readonly Part[]): Assembly {
  const fresh = { variant: start, parts: [] };
  const byAge = (ids: readonly string[]) =>
    assemble(
      fresh,
      parts.filter(({ id }) => ids.includes(id)),
    );
  const all = byAge(wanted.map(({ id }) => id));
  if (all.parts.length === wanted.length) return all;
  const assembly = assemble(fresh, wanted);
  const ordered = byAge(assembly.parts);
  return ordered.parts.length === assembly.parts.length ? ordered : assembly;
}

/** Returns an assembly as a version. `first` is the part that names it. */
function planned(
  { archive, tried, current }: Improvement,
  { variant, parts }: Assembly,
  parent: Version | undefined,
  first?: Part,
): PlannedVersion {
  const own = parent?.parts ?? [];
  const others = parts.filter((part) => part !== first?.id && !own.includes(part));
  const proposals = others.flatMap((part) => tried.find((proposal) => proposal.part === part) ?? []);
  const names = [...(first ? [first.name] : []), ...proposals.map((proposal) => proposal.variant.name)];
  const name = nameOf(names.flatMap((one) => one ?? []));
  const id = versionId(variant);
  const known = archive.find((version) => version.id === id);
  return {
    id,
    parents: known?.parents ?? [
      ...new Set([...(parent ? [parent.id] : []), ...proposals.map(({ version }) => version)]),
    ],
    round: known?.round ?? current.round,
    variant: { ...variant, ...(name !== undefined && { name }) },
    parts: known?.parts ?? parts,
  };
}

function nameOf(names: readonly string[]): string | undefined {
  if (names.length < 3) return names.length === 0 ? undefined : names.join(' + ');
  return `${names[0]} + ${names.length - 1} more`;
}

/** Returns every change so far, oldest first. */
function partsOf({ tried, archive }: Improvement): readonly Part[] {
  const variants = new Map(archive.map(({ id, variant }) => [id, variant]));
  const parts = new Map<string, Part>();
  for (const proposal of tried) {
    const before = variants.get(proposal.parent);
    if (before && !parts.has(proposal.part)) parts.set(proposal.part, partOf(proposal, before));
  }
  return [...parts.values()];
}

function partOf({ part, variant, hypothesis, expectedGain }: PlannedProposal, before: Variant): Part {
  const { name } = variant;
  return {
    id: part,
    ...(name !== undefined && { name }),
    hypothesis,
    ...(expectedGain !== undefined && { expectedGain }),
    before,
    after: merged(before, variant),
  };
}
