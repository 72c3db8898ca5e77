import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStore, type Store } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { snapshotsContract, storeContract } from 'rsi-loop/testing';
import { describe, it } from 'vitest';
import { DeferredStore } from '../../src/defaults/deferred-store.js';

storeContract(
  'MemoryStore',
  { describe, it },
  { create: () => ({ open: () => new MemoryStore(), remove: () => {} }), shared: false, lasting: false },
);

storeContract('FileStore', { describe, it }, { create: folderPlace, shared: true, lasting: true });

storeContract('DeferredStore', { describe, it }, { create: deferredPlace, shared: true, lasting: true });

// A part alone, as the author of one would test it.
snapshotsContract(
  'snapshots of a MemoryStore',
  { describe, it },
  {
    create: () => ({ open: () => ({ part: new MemoryStore().snapshots }), remove: () => {} }),
    shared: false,
    lasting: false,
  },
);

storeContract(
  'a store combined of parts, without erase and close',
  { describe, it },
  { create: () => ({ open: combinedStore, remove: () => {} }), shared: false, lasting: false },
);

function combinedStore(): Store {
  const [one, other] = [new MemoryStore(), new MemoryStore()];
  return { journal: one.journal, ledger: other.ledger, snapshots: other.snapshots, coordination: one.coordination };
}

/** The same folder, opened as `store: './folder'` does. */
function deferredPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-store-'));
  let opened = 0;
  return {
    open: () => {
      const name = `deferred${String(opened++).padStart(4, '0')}`;
      return new DeferredStore(name, async (writer) => new FileStore(folder, { writer }));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function folderPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-store-'));
  return {
    open: () => new FileStore(folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
