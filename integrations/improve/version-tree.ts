import { readAs } from 'rsi-loop/kit';
import type { Version } from './version.js';

/** Version with those that descend from it. */
export interface VersionTree {
  readonly version: Version;
  /** Oldest first. A version with two parents is under the first of them that is in the archive. */
  readonly children: readonly VersionTree[];
}

/** Returns the archive as trees, oldest first: one, if every version descends from the agent as it is. */
export function versionTree(archive: readonly Version[]): readonly VersionTree[] {
  return readAs('archive', 'the versions of an improvement', () => treesOf(archive));
}

function treesOf(archive: readonly Version[]): readonly VersionTree[] {
  const places = new Map(archive.map(({ id }, place) => [id, place]));
  const childrenOf = new Map<string | undefined, Version[]>();
  for (const [place, version] of archive.entries()) {
    // Only older versions, so that no damaged log makes a circle.
    const parent = version.parents.find((id) => (places.get(id) ?? place) < place);
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), version]);
  }
  const grow = (parent: string | undefined): readonly VersionTree[] =>
    (childrenOf.get(parent) ?? []).map((version) => ({ version, children: grow(version.id) }));
  return grow(undefined);
}
