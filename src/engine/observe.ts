import type { LedgerEntry } from '../contract/ledger-entry.js';
import { readBatch } from '../ledger/batch.js';
import type { Components } from './components.js';

/**
 * Reads the records written since the last cycle and applies them, so that the trials bet on them. The ledger notes what
 * was read and when, so a replay takes the same batches and bets at the same moments.
 */
export async function observe(
  components: Components,
  watermarkMs: number,
  { onlyRecords = false }: { readonly onlyRecords?: boolean } = {},
): Promise<void> {
  const { ledger, store, clock, verifier } = components;
  for (let more = true; more; ) {
    await ledger.follow();
    const { read } = ledger.state;
    const batch = await readBatch(store, read);
    // Time alone can end a unit or a trial.
    const isDue = batch.records.length > 0 || (!onlyRecords && verifier.isDue(clock.now(), watermarkMs));
    if (!isDue) return;
    // A full batch is not all there was: nothing can be bet on before the rest is read.
    const entry: LedgerEntry = {
      kind: 'cycle',
      atMs: clock.now(),
      by: store.writer,
      read: batch.read,
      watermarkMs: batch.more ? 0 : watermarkMs,
    };
    // When another process took in some of these records meanwhile, nothing is appended and they are read again.
    const appended = await ledger.append((state) => (state.read === read ? [entry] : []), batch);
    more = batch.more || appended.length === 0;
  }
}

/** Returns the moment before which everything that living processes wrote can be read. Call it before reading. */
export async function readWatermark({ store, clock }: Components): Promise<number> {
  const living = (await store.writers()).filter(({ alive }) => alive);
  return Math.min(clock.now(), ...living.map(({ watermarkMs }) => watermarkMs));
}
