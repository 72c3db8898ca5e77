import type { Json } from '../contract/json.js';
import { hashHex } from '../lib/hash.js';
import { lazyList } from '../lib/json-pieces.js';
import type { Steps } from '../lib/yield-to-event-loop.js';
import { FailureGroup, type FailureGroupSnapshot, type GroupKey, OUTLIER } from './failure-group.js';
import type { Row } from './profile-row.js';

/**
 * Share of the groups evicted when a limit is reached, least recently seen first. Evicting many together keeps it rare.
 */
export const EVICTED_SHARE = 1 / 8;
const MAX_ALIASES = 20_000;

/** Index of all groups by id, limited in number. Ids survive the merging of wordings. */
export class FailureGroups {
  readonly #maxGroups: number;
  #groups = new Map<string, FailureGroup>();
  /** Ids of merged groups, with the id they now belong to. */
  #aliases = new Map<string, string>();

  constructor(maxGroups: number) {
    this.#maxGroups = maxGroups;
  }

  [Symbol.iterator](): Iterator<FailureGroup> {
    return this.#groups.values();
  }

  /** Returns the current id for a former one. */
  resolve(id: string): string {
    return this.#aliases.get(id) ?? id;
  }

  /** Returns the group for `key`, creating it with the template if missing. */
  at(key: GroupKey, template: () => string): FailureGroup {
    const id = this.resolve(groupId(key));
    let group = this.#groups.get(id);
    if (!group) {
      if (this.#groups.size >= this.#maxGroups) this.#makeRoom();
      group = new FailureGroup(id, key, template());
      this.#groups.set(id, group);
    }
    return group;
  }

  /** Returns the group with this id, or the one that it was merged into. */
  get(id: string): FailureGroup | undefined {
    return this.#groups.get(this.resolve(id));
  }

  /** Returns the id of the group for `key`; undefined if there is none. */
  find(key: GroupKey): string | undefined {
    const id = this.resolve(groupId(key));
    return this.#groups.has(id) ? id : undefined;
  }

  delete(isGone: (group: FailureGroup) => boolean): void {
    for (const group of this.#groups.values()) if (isGone(group)) this.#groups.delete(group.id);
  }

  /** Merges groups whose wordings were merged. `resolve` returns the current name of a wording. */
  joinWordings(resolve: (wording: string) => string): void {
    for (const group of this.#groups.values()) {
      const wording = resolve(group.key.wording);
      if (wording === group.key.wording) continue;
      const key = { ...group.key, wording };
      const id = groupId(key);
      const same = this.#groups.get(this.resolve(id));
      if (same && same !== group) {
        same.merge(group);
        this.#groups.delete(group.id);
        this.#alias(group.id, same.id);
      } else {
        group.key = key;
        this.#alias(id, group.id);
      }
    }
  }

  snapshot(): Json {
    return { groups: lazyList(this.#groups, ([, group]) => group.snapshot()), aliases: [...this.#aliases] };
  }

  static *restore(kept: FailureGroupsSnapshot, { maxGroups, rowsOf }: RestoreOptions): Steps<FailureGroups> {
    const groups = new FailureGroups(maxGroups);
    for (const each of kept.groups) {
      const rows = rowsOf(each.key);
      groups.#groups.set(
        each.id,
        FailureGroup.restore(each, (number) => rows.get(number)),
      );
      yield;
    }
    groups.#aliases = new Map(kept.aliases);
    return groups;
  }

  /**
   * Merges the least recently seen wordings, per task and issue. Only the wording is lost. Groups without a wording are
   * evicted only if they alone exceed the limit.
   */
  #makeRoom(): void {
    const oldest = [...this.#groups.values()].sort(
      (a, b) =>
        Number(!hasWording(a)) - Number(!hasWording(b)) || a.lastSeenMs - b.lastSeenMs || (a.id < b.id ? -1 : 1),
    );
    for (const group of oldest.slice(0, Math.ceil(oldest.length * EVICTED_SHARE))) {
      this.#groups.delete(group.id);
      if (!hasWording(group)) continue;
      const key: GroupKey = { ...group.key, wording: '' };
      const id = groupId(key);
      const rest = this.#groups.get(id) ?? new FailureGroup(id, key, '<*>');
      rest.merge(group);
      this.#groups.set(id, rest);
    }
  }

  #alias(from: string, to: string): void {
    // Redirects aliases of the old id to the new one, so that one look-up always suffices.
    for (const [other, target] of this.#aliases) if (target === from) this.#aliases.set(other, to);
    this.#aliases.delete(to);
    this.#aliases.set(from, to);
    if (this.#aliases.size <= MAX_ALIASES) return;
    for (const oldest of this.#aliases.keys()) {
      this.#aliases.delete(oldest);
      return;
    }
  }
}

export interface RestoreOptions {
  readonly maxGroups: number;
  /** Returns the rows of a group's task, by number. */
  readonly rowsOf: (key: GroupKey) => ReadonlyMap<number, Row>;
}

export interface FailureGroupsSnapshot {
  readonly groups: Iterable<FailureGroupSnapshot>;
  readonly aliases: readonly (readonly [string, string])[];
}

function hasWording({ key: { wording } }: FailureGroup): boolean {
  return wording !== '' && wording !== OUTLIER;
}

function groupId({ kind, task, child, issue, wording }: GroupKey): string {
  return hashHex(JSON.stringify([kind, task, child, issue, wording]));
}
