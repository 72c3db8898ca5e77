import { Analyzer } from '../analyze/analyzer.js';
import type { Json } from '../contract/json.js';
import type { Store } from '../contract/store.js';
import { Library, type LibrarySnapshot } from '../experience/library.js';
import type { HealthSnapshot } from '../verify/health.js';
import { LiveHealth } from '../verify/live-health.js';
import { ModelWatch, type ModelWatchSnapshot } from '../verify/model-watch.js';
import { Verifier, type VerifierSnapshot } from '../verify/verifier.js';
import type { ComponentOptions, Components } from './components.js';

/** What the components hold at one position of the ledger, so that a start need not read everything again. */
export interface LoopState {
  readonly version: typeof VERSION;
  /** Entries of the ledger that the components have taken in. */
  readonly entries: number;
  readonly analyzer: Json;
  readonly verifier: VerifierSnapshot;
  readonly health: HealthSnapshot;
  readonly models: ModelWatchSnapshot;
  readonly library: LibrarySnapshot;
}

const VERSION = 10;
const NAME = 'loop';
/** What a process knows of the models it asks: its own experience, which stands in no log. */
const RUN_NAME = 'run';

/** The components as they were saved. */
export interface RestoredComponents {
  readonly entries: number;
  readonly components: Pick<Components, 'analyzer' | 'verifier' | 'health' | 'models'>;
  readonly library: Library;
}

/** Returns what the ledger and the journal add up to. The logs alone give the same, byte for byte. */
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

/** Saves what the components hold; gives up quietly when another process was faster, whose state is as good. */
export async function saveSnapshot(components: Components, run: Json, versions: SavedVersions): Promise<void> {
  // Entries wait until all is written: the parts of state are made one after the other, and belong to one moment.
  await components.ledger.settled(() =>
    replace(components.store, NAME, snapshotOf(components) as unknown as Json, versions),
  ); // JSON
  await replace(components.store, RUN_NAME, run, versions);
}

/** Saves what a replay of the logs holds after so many entries, unless a state is saved that holds more. */
export async function saveReplay(components: Components, entries: number): Promise<void> {
  const saved = await components.store.load(NAME);
  const other = saved?.value as unknown as LoopState | undefined; // by `saveState`; nothing else of it is read here
  if (other?.version === VERSION && other.entries >= entries) return;
  await components.store.save(NAME, snapshotOf(components, entries) as unknown as Json, saved?.version ?? 0); // plain JSON
}

/** Returns what a process knew of the models it asks. No log holds it, so it counts whatever became of the rest. */
export async function loadRun({ store }: Components): Promise<Json | undefined> {
  return (await store.load(RUN_NAME))?.value;
}

/** Versions that this process saved last, by name: reading a large state to learn its version holds up the host. */
export type SavedVersions = Map<string, number>;

async function replace(store: Store, name: string, value: Json, versions: SavedVersions): Promise<void> {
  const known = versions.get(name);
  const after = known ?? (await store.load(name))?.version ?? 0;
  if (await store.save(name, value, after)) {
    versions.set(name, after + 1);
    return;
  }
  versions.delete(name);
  // Another process saved since, or what was saved is gone.
  if (known !== undefined) await replace(store, name, value, versions);
}

/**
 * What was saved; undefined where nothing was, where the ledger is not as long as it was then, and where another version
 * of the components saved it: then everything is read from the logs, which gives the same state and only takes longer.
 */
export async function restoreSnapshot(
  { store }: Components,
  options: ComponentOptions,
): Promise<RestoredComponents | undefined> {
  const value = (await store.load(NAME))?.value as unknown as LoopState | undefined; // by `saveState`, or refused below
  if (value?.version !== VERSION || value.entries > (await store.head()).length) return undefined;
  try {
    const analyzer = Analyzer.restore(value.analyzer, options.analyzer);
    if (!analyzer) return undefined;
    const verifier = Verifier.restore(value.verifier, options.verifier);
    const health = LiveHealth.restore(value.health, options.health);
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
