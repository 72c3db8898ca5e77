import { resolve } from 'node:path';
import { LoopError, RSILoop } from 'rsi-loop';
import { benchFolder } from '../../dashboard/data/bench-source.js';
import { DashboardData } from '../../dashboard/data/dashboard-data.js';
import { runFolderPlace } from '../../dashboard/data/run-folder-place.js';
import { skillFolder } from '../../dashboard/data/skill-source.js';
import type { DecisionRequest, FixRow } from '../../dashboard/fix-views.js';
import type { DashboardEvent, FoundTranscripts, ViewSource, Views } from '../../dashboard/views.js';
import { KeptRuns } from '../../reports/kept-runs.js';
import { importInto } from '../../sources/import/index.js';
import type { LoopOptions } from '../config/loop-options.js';
import { addCompanionKinds } from '../store/companion-kinds.js';
import { isDatabase, shownStore } from '../store/database.js';
import { onProblem, withLoop } from '../store/open-loop.js';
import { openOrCreate, openStore } from '../store/open-store.js';
import { suggestedName } from '../store/user-name.js';
import { notice } from '../terminal/output.js';

interface Followed {
  readonly folder: string;
  readonly loop: RSILoop;
  readonly beside: Beside;
}

/** Folders that the page shows beside the store. */
interface Beside {
  /** Folder of benchmarks. */
  readonly bench?: string;
  /** Folder of runs of tasks. */
  readonly runs?: string;
  /** Folder of skills. */
  readonly skills?: string;
  /** Transcripts of coding agents, offered for import while the store is empty. */
  readonly transcripts?: readonly FoundTranscripts[];
}

/**
 * Views of a folder that other processes write. Nothing is written but decisions, each by a loop of its own that ends
 * with it: this one never leads.
 */
export class FollowedFolder implements ViewSource {
  readonly user?: string;
  readonly #folder: string;
  readonly #transcripts: readonly FoundTranscripts[];
  readonly #loop: RSILoop;
  readonly #ready: Promise<void>;
  readonly #data: DashboardData;

  /**
   * Resolves once the folder is known to be a store; large ones are read afterwards, and views wait for that.
   * `report` gets each new problem. Default: standard error.
   * @throws LoopError `invalid-input` or `store-failed` if the folder is not a store that this version can read.
   */
  static async open(
    folder: string,
    options: LoopOptions & Beside = {},
    report = (message: string) => void notice(message),
  ): Promise<FollowedFolder> {
    const { bench, runs, skills, transcripts, ...loopOptions } = options;
    const store = await openStore(folder, 'read');
    // Throws if the whole store is unreadable, e.g. in a newer format, before a loop starts without it.
    await store.ledger.head();
    const loop = new RSILoop({ ...loopOptions, store });
    const beside = {
      ...(bench !== undefined && { bench }),
      ...(runs !== undefined && { runs }),
      ...(skills !== undefined && { skills }),
      ...(transcripts && { transcripts }),
    };
    return new FollowedFolder({ folder, loop, beside }, report);
  }

  private constructor(
    { folder, loop, beside: { bench, runs, skills, transcripts = [] } }: Followed,
    report: (message: string) => void,
  ) {
    this.#transcripts = transcripts;
    this.#folder = isDatabase(folder) ? folder : resolve(folder);
    this.#loop = loop;
    let last: string | undefined;
    onProblem(loop, (message) => {
      // A store that stays unreadable is reported at each reading.
      if (message !== last) report(message);
      last = message;
    });
    this.#ready = loop.ready().then(async () => {
      await addCompanionKinds(loop);
      if (loop.hasLostStore) throw new LoopError('store-failed', last ?? `${shownStore(folder)} cannot be read`);
    });
    // Views report it.
    this.#ready.catch(() => undefined);
    const user = suggestedName();
    if (user !== undefined) this.user = user;
    this.#data = new DashboardData({
      loop,
      store: shownStore(this.#folder),
      ...(!isDatabase(folder) && { folder: this.#folder }),
      transcripts,
      ...(bench !== undefined && { bench: benchFolder(bench) }),
      ...(runs !== undefined && { runs: new KeptRuns(runFolderPlace(runs)) }),
      ...(skills !== undefined && { skills: skillFolder(skills) }),
    });
  }

  async view<Name extends keyof Views>(
    name: Name,
    params: Readonly<Record<string, string>>,
  ): Promise<Views[Name] | undefined> {
    await this.#ready;
    return this.#data.view(name, params);
  }

  onEvent(handler: (event: DashboardEvent) => void): () => void {
    return this.#data.onEvent(handler);
  }

  async decide(request: DecisionRequest): Promise<FixRow | undefined> {
    // Runs and versions are kept beside the store.
    if (request.runId !== undefined || request.versionId !== undefined) return this.#data.decide(request);
    if (request.verb === 'import') await this.#import(request.path);
    const fix = await withLoop(this.#folder, 'decide', async (loop) => {
      // Its verdict compares with the records so far.
      if (request.verb === 'apply' || request.verb === 'import' || request.verb === 'cycle') await loop.rebuilt();
      const data = new DashboardData({ loop, store: this.#folder });
      try {
        // Imported records show after a cycle.
        return await data.decide(request.verb === 'import' ? { verb: 'cycle', by: request.by } : request);
      } finally {
        await data.close();
      }
    });
    await this.#data.refresh();
    return fix;
  }

  /** Imports transcripts that were found on this machine, and no others. */
  async #import(path: string | undefined): Promise<void> {
    const known = this.#transcripts.find((one) => one.path === path);
    if (!known)
      throw new LoopError('invalid-input', 'these transcripts were not found on this machine: use rsi import');
    const store = await openOrCreate(this.#folder);
    try {
      await importInto(store, known.path, { nowMs: Date.now(), findings: 'aside' });
    } finally {
      await store.close();
    }
  }

  async close(): Promise<void> {
    await this.#data.close();
    await this.#loop.close();
  }
}
