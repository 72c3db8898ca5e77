import { RSILoop, type Store, SystemClock } from 'rsi-loop';
import { canonical, isObject } from 'rsi-loop/kit';
import type { StoreCheck } from 'rsi-loop/node';
import { counted, whole } from '../../reports/words/numbers.js';
import { whenRebuilt } from '../store/open-loop.js';

/** Most records that are replayed. More would take minutes. */
const MOST_RECORDS = 200_000;

/**
 * Compares what a loop knows from its saved state with what it knows from records and decisions alone, which must be the
 * same. Changes nothing.
 */
export async function checkReplay(store: Store): Promise<StoreCheck> {
  const lost = await entriesLost(store);
  if (lost !== undefined) return lost;
  const why = await whyNotCompared(store);
  if (why !== undefined) return { name: 'replay', ok: true, found: `not compared: ${why}` };
  const clock = new StoppedClock(Date.now());
  const [saved, replayed] = [await knownTo(store, true, clock), await knownTo(store, false, clock)];
  const different = Object.keys(replayed).filter((name) => saved[name] !== replayed[name]);
  if (different.length === 0) {
    return { name: 'replay', ok: true, found: 'records and decisions give the same as the saved state' };
  }
  const found = `${different.join(' and ')} in the saved state differ from what records and decisions give`;
  const advice = 'end the processes of the loop and delete the folder state/, or the table snapshot: it is built again';
  return { name: 'replay', ok: false, found, advice };
}

/** Returns the finding of a ledger that is shorter than the saved state, which contains its entries. */
async function entriesLost({ ledger, snapshots }: Store): Promise<StoreCheck | undefined> {
  const saved = (await snapshots.load('loop'))?.value;
  const known = isObject(saved) && typeof saved.entries === 'number' ? saved.entries : 0;
  const { length } = await ledger.head();
  if (known <= length) return undefined;
  const found = `the saved state contains ${counted(known, 'entry', 'entries')} of the ledger, which has ${whole(length)}`;
  const advice =
    'restore ledger/ and head/, or the table ledger, from a backup: all decisions and verdicts are in them';
  return { name: 'replay', ok: false, found, advice };
}

/** Returns why a replay would not give the saved state, or would take too long. */
async function whyNotCompared({ journal, snapshots }: Store): Promise<string | undefined> {
  if ((await snapshots.load('loop')) === undefined) return 'no state is saved';
  const seen = new Set<string>();
  let records = 0;
  for await (const { writer, position } of journal.read()) {
    if (!seen.has(writer) && position > 0) return 'retention or an erasure deleted records that it contains';
    seen.add(writer);
    if (++records > MOST_RECORDS) return `there are more than ${whole(MOST_RECORDS)} records`;
  }
  return undefined;
}

/** Returns what a loop knows, as a text for each part, with the saved state or without it. */
async function knownTo(
  store: Store,
  withState: boolean,
  clock: StoppedClock,
): Promise<Readonly<Record<string, string>>> {
  const { journal, ledger } = store;
  const loop = new RSILoop({
    clock,
    store: {
      journal,
      ledger,
      snapshots: {
        load: async (name) => (withState ? store.snapshots.load(name) : undefined),
        save: async () => true,
      },
      coordination: { lease: async () => undefined, writers: async () => [] },
    },
  });
  // The host's settings are unknown here, which the loop reports.
  loop.on('problem', () => undefined);
  try {
    await loop.ready();
    await whenRebuilt(loop);
    const trials = loop.fixes().map(({ id }) => loop.verifier.course(id));
    const parts = { patterns: loop.patterns(), fixes: loop.fixes(), trials, health: loop.health() };
    return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, canonical(part)]));
  } finally {
    await loop.close();
  }
}

/** Clock of one moment, so that two loops see the same. Timers run as usual. */
class StoppedClock extends SystemClock {
  readonly #nowMs: number;

  constructor(nowMs: number) {
    super();
    this.#nowMs = nowMs;
  }

  override now(): number {
    return this.#nowMs;
  }

  override monotonic(): number {
    return 0;
  }
}
