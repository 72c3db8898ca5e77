import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStore, type Store } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { storeContract } from 'rsi-loop/testing';
import { describe, it } from 'vitest';

storeContract(
  'MemoryStore',
  { describe, it },
  { create: () => ({ open: () => new MemoryStore(), remove: () => {} }), shared: false, lasting: false },
);

storeContract('FileStore', { describe, it }, { create: folderPlace, shared: true, lasting: true });

storeContract(
  'a store combined of parts, without erase and close',
  { describe, it },
  { create: () => ({ open: combinedStore, remove: () => {} }), shared: false, lasting: false },
);

function combinedStore(): Store {
  const [one, other] = [new MemoryStore(), new MemoryStore()];
  return { journal: one.journal, ledger: other.ledger, snapshots: other.snapshots, coordination: one.coordination };
}

function folderPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-store-'));
  return {
    open: () => new FileStore(folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
