export { type FailedCycles, readFailedCycles } from '../lib/failed-cycles.js';
export { type CheckStoreOptions, checkStore } from './check-store.js';
export { DiskWorkspace, type DiskWorkspaceOptions } from './disk-workspace.js';
export { FileStore, type FileStoreOptions } from './file-store.js';
export { type FileSystem, machineFileSystem } from './file-system.js';
export {
  inspectStore,
  type StoreInspection,
} from './inspect-store.js';
export { readJournalLine } from './journal-line.js';
export { PinnedDirectory } from './pinned-directory.js';
export type { Liveness, ProcessTable } from './process-identity.js';
export { readOnlyFileSystem } from './read-only.js';
export type { StoreCheck } from './store-checks.js';
export { type LedgerReport, verifyLedger } from './verify-ledger.js';
