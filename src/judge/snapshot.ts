import { Analyzer } from '../analyze/analyzer.js';
import type { Json } from '../contract/json.js';
import type { Snapshots } from '../contract/snapshots.js';
import { Library, type LibrarySnapshot } from '../experience/library.js';
import { Pace } from '../lib/yield-to-event-loop.js';
import { RUN_NAME } from '../live/live-state.js';
import type { HealthSnapshot } from '../verify/health.js';
import { LiveHealth } from '../verify/live-health.js';
import { ModelWatch, type ModelWatchSnapshot } from '../verify/model-watch.js';
import { Verifier, type VerifierSnapshot } from '../verify/verifier.js';
import type { ComponentOptions, Components, RestoredComponents } from './components.js';

/** State of the components at one position of the ledger, so that a start does not replay everything. */
export interface LoopState {
  readonly version: typeof VERSION;
  /** Number of ledger entries that were applied. */
  readonly entries: number;
  readonly analyzer: Json;
  readonly verifier: VerifierSnapshot;
  readonly health: HealthSnapshot;
  readonly models: ModelWatchSnapshot;
  readonly library: LibrarySnapshot;
}

const VERSION = 15;
const NAME = 'loop';

/** Returns a snapshot of the components. Replaying the ledger and the journal gives the same state, byte for byte. */
export function snapshotOf(components: Components, entries = components.ledger.length): LoopState {
  const { analyzer, verifier, health, models, experience } = components;
  return {
    version: VERSION,
    entries,
    analyzer: analyzer.snapshot(),
    verifier: verifier.snapshot(),
    health: health.snapshot(),
    models: models.snapshot(),
    library: experience.library.snapshot(),
  };
}

/** Saves a snapshot. Stops without an error if another process saved first, since its state is equally good. */
export async function saveSnapshot(components: Components, run: Json, versions: SavedVersions): Promise<void> {
  // Entries wait for the save: parts are created one after another and must belong to the same moment.
  await components.ledger.settled(() =>
    replace(components.store.snapshots, NAME, snapshotOf(components) as unknown as Json, versions),
  ); // JSON
  await replace(components.store.snapshots, RUN_NAME, run, versions);
}

/** Saves the state of a replay after this many entries, unless a newer state is saved. */
export async function saveReplay(components: Components, entries: number): Promise<void> {
  const saved = await components.store.snapshots.load(NAME);
  const other = saved?.value as unknown as LoopState | undefined; // by `saveSnapshot`; nothing else of it is read here
  if (other?.version === VERSION && other.entries >= entries) return;
  await components.store.snapshots.save(NAME, snapshotOf(components, entries) as unknown as Json, saved?.version ?? 0); // JSON
}

/** Versions that this process last saved, by name. Reading a large state to get its version would block the host. */
export type SavedVersions = Map<string, number>;

async function replace(snapshots: Snapshots, name: string, value: Json, versions: SavedVersions): Promise<void> {
  const known = versions.get(name);
  const after = known ?? (await snapshots.load(name))?.version ?? 0;
  if (await snapshots.save(name, value, after)) {
    versions.set(name, after + 1);
    return;
  }
  versions.delete(name);
  // Another process saved since, or the saved state was deleted.
  if (known !== undefined) await replace(snapshots, name, value, versions);
}

/**
 * Returns the saved state; undefined if there is none, if the ledger is now shorter, or if another version saved it.
 * The logs are then replayed, which gives the same state but takes longer.
 */
export async function restoreSnapshot(
  { store, clock }: Pick<Components, 'store' | 'clock'>,
  options: ComponentOptions,
): Promise<RestoredComponents | undefined> {
  const value = (await store.snapshots.load(NAME))?.value as unknown as LoopState | undefined; // by `saveSnapshot`, checked below
  if (value?.version !== VERSION || value.entries > (await store.ledger.head()).length) return undefined;
  try {
    const analyzer = await new Pace(clock).run(Analyzer.restoring(value.analyzer, options.analyzer));
    if (!analyzer) return undefined;
    const verifier = new Verifier(options.verifier, value.verifier);
    const health = new LiveHealth(options.health, value.health);
    const models = new ModelWatch(value.models);
    const library = Library.restore(value.library);
    return {
      entries: value.entries,
      components: { analyzer, verifier, health, models },
      library,
    };
  } catch {
    return undefined;
  }
}
