import type { Json } from './json.js';

/** JSON value of a saved snapshot of a component's state. */
export type Snapshot = Json;

/** Named state as last saved. `version` counts the saves from 1. */
export interface Saved {
  readonly version: number;
  readonly value: Snapshot;
}

/** Named state, which saves replaying the logs at a start. */
export interface Snapshots {
  /**
   * Loads named state. Returns `undefined` if there is none, or none that can be trusted. Lists that `save` created lazily may
   * be lazy here too: they can be iterated, and are arrays as JSON only.
   */
  load(name: string): Promise<Saved | undefined>;
  /**
   * Replaces named state if its version is still `after` (0: none yet). Returns false if another process saved first.
   * `value` may be large and may create parts lazily while they are read. It does not change until the promise settles.
   */
  save(name: string, value: Snapshot, after: number): Promise<boolean>;
}
