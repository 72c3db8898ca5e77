import { type JournalRecord, LoopError, type Outcome, type Store } from 'rsi-loop';
import { erasing, mustBe, showValue } from 'rsi-loop/kit';
import { isAside } from '../sessions/outcomes-of.js';
import { IdSet } from './id-set.js';
import { type InputReading, type InputSummary, type ReadInputsOptions, readInputs } from './read-inputs.js';
import { mustBeStore, TranscriptPlaces } from './transcript-places.js';

export { detectImporter, IMPORTERS } from './detect.js';
export { outcomesOfTraces, type TracesOptions } from './formats/otlp.js';
export type { Batch, Importer, Input, InputHead, InputProblem } from './importer.js';
export type { InputBatch, InputReading, InputSummary, ReadInputsOptions } from './read-inputs.js';
export {
  readFirstRequest,
  readTranscript,
  type SessionRequest,
  type Transcript,
  type TranscriptCall,
} from './read-transcript.js';
export { filesOfSession, filesOfSessions } from './transcript-places.js';

/** Files, folders with everything below them, or the bytes of one input. */
export type ImportSource = string | readonly string[] | AsyncIterable<Uint8Array>;

/**
 * Returns the outcomes in transcripts, trajectories, traces and tables of agents. Detects the format of each input:
 *
 *     for await (const { outcomes } of importTraces('./runs')) ...
 *
 * Nothing is read before the iteration begins. Unreadable records go to `onProblem` and are counted in `summary`. Only an
 * error of the stream itself ends reading it, and is reported there too.
 */
export function importTraces(source: ImportSource, options: ReadInputsOptions = {}): InputReading {
  if (typeof source === 'string') return readInputs([source], options);
  if (isStream(source)) return readInputs(['-'], { ...options, stdin: source });
  const arePaths = Array.isArray(source) && source.every((path) => typeof path === 'string');
  mustBe(arePaths, 'source', showValue(source), 'a path, a list of paths, or a stream');
  return readInputs(source, options);
}

/** Result of an import. */
export interface ImportResult {
  /** Outcomes that were not in the store before. */
  readonly written: number;
  readonly failures: number;
  /** Outcomes that the store already held. */
  readonly known: number;
  /** Outcomes that were erased from the store earlier; they are not written again. */
  readonly erased: number;
  /** Number written per format, by the name of its importer. */
  readonly formats: Readonly<Record<string, number>>;
  readonly summary: InputSummary;
}

/** Batch size. Each batch is awaited before the next, so that a slow disk slows the reading down. */
const LOT = 2_000;

/**
 * Writes the outcomes of a source into a store under their own ids; outcomes it already holds are not written again.
 * Resolves when everything is safely stored. Only one import at a time can write into a store.
 * @throws LoopError `store-failed` if the store cannot be read or written, `invalid-input` while another import runs.
 */
export async function importInto(
  store: Store,
  source: ImportSource,
  options: ReadInputsOptions & { readonly onBatch?: (result: ImportResult) => void } = {},
): Promise<ImportResult> {
  mustBeStore(store);
  const lease = await store.coordination.lease('import');
  if (!lease) throw new LoopError('invalid-input', 'another import writes into this store: wait until it has ended');
  const problems = watchForLoss(store);
  try {
    const known = await idsOf(store);
    const isErased = await erasing.erasedFrom(store);
    const reading = importTraces(source, options);
    const result = {
      written: 0,
      failures: 0,
      known: 0,
      erased: 0,
      formats: {} as Record<string, number>,
      summary: reading.summary,
    };
    let waiting = 0;
    const places = new TranscriptPlaces();
    for await (const { outcomes, importer, path } of reading) {
      const allowed = outcomes.filter(({ id }) => !isErased(id));
      places.add({ importer, path, outcomes: allowed });
      const fresh = allowed.filter(({ id }) => known.add(id));
      result.erased += outcomes.length - allowed.length;
      result.known += allowed.length - fresh.length;
      if (fresh.length > 0) result.formats[importer] = (result.formats[importer] ?? 0) + fresh.length;
      for (let from = 0; from < fresh.length; from += LOT) {
        const lot = fresh.slice(from, from + LOT);
        store.journal.append(lot.map(recordOf));
        result.written += lot.length;
        result.failures += lot.filter((outcome) => !outcome.success && !isAside(outcome)).length;
        waiting += lot.length;
        if (waiting < LOT) continue;
        waiting = 0;
        await store.journal.flush();
        problems.throwIfLost();
      }
      options.onBatch?.(result);
    }
    await store.journal.flush();
    problems.throwIfLost();
    await places.save(store);
    return result;
  } finally {
    await lease.release();
  }
}

function recordOf(outcome: Outcome): JournalRecord {
  return { kind: 'outcome', outcome };
}

async function idsOf(store: Store): Promise<IdSet> {
  const ids = new IdSet();
  for await (const { record } of store.journal.read()) if (record.kind === 'outcome') ids.add(record.outcome.id);
  return ids;
}

/** Watches for lost records. A store never throws on writes; it only reports what it lost. */
function watchForLoss(store: Store) {
  let lost: string | undefined;
  store.onProblem?.(({ kind, message }) => {
    if (kind === 'dropped' || kind === 'failing') lost = message;
  });
  return {
    throwIfLost: () => {
      if (lost !== undefined) throw new LoopError('store-failed', `the import stopped: ${lost}`);
    },
  };
}

function isStream(source: ImportSource): source is AsyncIterable<Uint8Array> {
  return typeof source === 'object' && Symbol.asyncIterator in source;
}
