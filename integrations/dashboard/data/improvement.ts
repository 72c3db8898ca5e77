import { type Improvement, improvementOf, type Version, type VersionTree, versionTree } from 'rsi-loop/improve';
import type { ImprovementView, RoundRow, VersionRow, VersionView } from '../bench-views.js';
import { improvementRow, resultOf } from './benchmarks.js';
import type { DataSource, ViewParams } from './source.js';
import { changesOf } from './version-change.js';

const MAX_VERSIONS = 2_000;

/** Returns one improvement with its rounds, its archive, and one version of it. */
export async function improvementView(
  { bench }: DataSource,
  { id = '', version: asked }: ViewParams,
): Promise<ImprovementView | undefined> {
  // The id is part of a path: only ids that are there get that far.
  if (!bench || !(await bench.log.list()).includes(id)) return undefined;
  const steps = await bench.log.load(id);
  const improvement = improvementOf(steps);
  const { archive, rounds } = improvement;
  const versions = new Map(archive.map((version) => [version.id, version]));
  const best = rounds.findLast(({ isKept }) => isKept)?.version;
  const version = versions.get(asked ?? best ?? '') ?? archive.at(-1);
  return {
    row: improvementRow(id, steps),
    rounds: rounds.map(roundRow),
    archive: flat(versionTree(archive), versions).slice(0, MAX_VERSIONS),
    ...(version && { version: versionView(version, versions) }),
  };
}

function roundRow({ round, version, forecast, comparison, isKept }: Improvement['rounds'][number]): RoundRow {
  return {
    round,
    version,
    hypotheses: forecast?.hypotheses ?? [],
    ...(forecast?.expected !== undefined && { expected: forecast.expected }),
    ...(comparison && { result: resultOf(comparison) }),
    isKept,
  };
}

type Versions = ReadonlyMap<string, Version>;

function flat(trees: readonly VersionTree[], versions: Versions, depth = 0): readonly VersionRow[] {
  return trees.flatMap(({ version, children }) => [
    versionRow(version, depth, versions),
    ...flat(children, versions, depth + 1),
  ]);
}

function versionRow(version: Version, depth: number, versions: Versions): VersionRow {
  const { id, parents, variant, hypotheses, round, score, runs, isKept, comparison, decision } = version;
  const newest = hypotheses.at(-1);
  const parentScore = versions.get(parents[0] ?? '')?.score;
  return {
    id,
    depth,
    name: variant.name ?? (parents.length === 0 ? 'as it is' : 'candidate'),
    parents,
    hypothesis: newest?.hypothesis ?? '',
    ...(newest?.expectedGain !== undefined && { expectedGain: newest.expectedGain }),
    round,
    score,
    ...(parentScore !== undefined && { parentScore }),
    runs,
    isKept,
    ...(comparison && { result: resultOf(comparison) }),
    ...(decision && { decision: decision.kind }),
  };
}

function versionView(version: Version, versions: Versions): VersionView {
  const parent = versions.get(version.parents[0] ?? '');
  return {
    row: versionRow(version, 0, versions),
    hypotheses: version.hypotheses,
    change: changesOf(parent?.variant ?? {}, version.variant),
    ...(version.decision && { decision: version.decision }),
  };
}
