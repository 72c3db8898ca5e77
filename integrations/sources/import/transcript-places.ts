import { resolve } from 'node:path';
import type { Json, Store } from 'rsi-loop';
import { isObject, mustBe, showValue } from 'rsi-loop/kit';
import type { InputBatch } from './read-inputs.js';
import { TRANSCRIPT_FORMATS } from './read-transcript.js';

/** Name of the saved state that holds the files of imported sessions. Erasing removes it, like all saved state. */
const NAME = 'transcripts';
/** Sessions whose files are known; the newest are kept. */
const MAX_SESSIONS = 50_000;
const MAX_FILES = 20;

/** Collects which files the sessions of an import are in, so that their calls can be read there again. */
export class TranscriptPlaces {
  readonly #files = new Map<string, Set<string>>();

  add({ importer, path, outcomes }: Pick<InputBatch, 'importer' | 'path' | 'outcomes'>): void {
    if (path === '-' || !TRANSCRIPT_FORMATS.has(importer)) return;
    for (const { session } of outcomes) {
      if (session === undefined) continue;
      const files = this.#files.get(session) ?? new Set();
      this.#files.set(session, files);
      files.add(resolve(path));
    }
  }

  /** Saves the files beside those of earlier imports. */
  async save({ snapshots }: Store): Promise<void> {
    if (this.#files.size === 0) return;
    const saved = await snapshots.load(NAME);
    const before = Object.entries(readPlaces(saved?.value)).filter(([session]) => !this.#files.has(session));
    const now = [...this.#files].map(([session, files]): [string, string[]] => [session, [...files].slice(-MAX_FILES)]);
    await snapshots.save(NAME, Object.fromEntries([...before, ...now].slice(-MAX_SESSIONS)), saved?.version ?? 0);
  }
}

/** Returns the files that a session was imported from; none for sessions that were recorded in another way. */
export async function filesOfSession(store: Store, session: string): Promise<readonly string[]> {
  mustBe(typeof session === 'string', 'session', showValue(session), 'the id of a session');
  return (await filesOfSessions(store)).get(session) ?? [];
}

/** Returns the files of all imported sessions, by the id of the session. */
export async function filesOfSessions(store: Store): Promise<ReadonlyMap<string, readonly string[]>> {
  mustBeStore(store);
  return new Map(Object.entries(readPlaces((await store.snapshots.load(NAME))?.value)));
}

/** @throws LoopError `invalid-input` for what is not a store. */
export function mustBeStore(store: unknown): void {
  const isStore = isObject(store) && isObject(store.coordination) && isObject(store.snapshots);
  mustBe(isStore, 'store', showValue(store), 'a Store, such as new FileStore(folder)');
}

function readPlaces(value: Json | undefined): Readonly<Record<string, readonly string[]>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([session, files]): [string, string[]][] => {
      return Array.isArray(files) ? [[session, files.filter((file) => typeof file === 'string')]] : [];
    }),
  );
}
