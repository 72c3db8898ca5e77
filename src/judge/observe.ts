import type { LedgerEntry } from '../contract/ledger-entry.js';
import { readBatch } from '../ledger/batch.js';
import type { Components } from './components.js';

/**
 * Reads the records since the last cycle and applies them to the components and trials. The ledger stores what was read
 * and when, so a replay uses the same batches and the same times.
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
    const batch = await readBatch(store.journal, ledger.cursor);
    // Time alone can complete a unit or a trial.
    const isDue = batch.records.length > 0 || (!onlyRecords && verifier.isDue(clock.now(), watermarkMs));
    if (!isDue) return;
    // A full batch means there are more records. Trials must wait until the rest is read.
    const entry: LedgerEntry = {
      kind: 'cycle',
      atMs: clock.now(),
      by: store.journal.writer,
      read: batch.read,
      watermarkMs: batch.more ? 0 : watermarkMs,
    };
    // If another process read some of these records meanwhile, nothing is appended. They are read again.
    const appended = await ledger.append((state) => (state.read === read ? [entry] : []), batch);
    more = batch.more || appended.length === 0;
  }
}

/** Returns the time before which all records of living processes can be read. Call it before reading. */
export async function readWatermark({ store, clock }: Components): Promise<number> {
  const living = (await store.coordination.writers()).filter(({ alive }) => alive);
  return Math.min(clock.now(), ...living.map(({ watermarkMs }) => watermarkMs));
}
