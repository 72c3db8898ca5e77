export { DiskWorkspace, type DiskWorkspaceOptions } from './disk-workspace.js';
export { FileStore, type FileStoreOptions } from './file-store.js';
export { type FileSystem, machineFileSystem } from './file-system.js';
export {
  type CyclesInspection,
  inspectStore,
  type JournalInspection,
  type LeaseInspection,
  type StoreInspection,
} from './inspect-store.js';
export { type JournalLine, readJournalLine } from './journal-line.js';
export type { LedgerFault } from './ledger-chain.js';
export { PinnedDirectory } from './pinned-directory.js';
export { type Liveness, machineProcesses, type ProcessIdentity, type ProcessTable } from './process-identity.js';
export { readOnlyFileSystem } from './read-only.js';
export { type LedgerReport, verifyLedger } from './verify-ledger.js';
