export { type FailedCycles, readFailedCycles } from '../lib/failed-cycles.js';
export { isLedgerEntry } from './check-entry.js';
export { DiskWorkspace, type DiskWorkspaceOptions } from './disk-workspace.js';
export { FileLock, type LockHolder } from './file-lock.js';
export { FileLog } from './file-log.js';
export { FileStore, type FileStoreOptions } from './file-store.js';
export { errorCode, type FileSystem, ifPresent, machineFileSystem } from './file-system.js';
export { FORMAT } from './format.js';
export { hashOf } from './hash-of.js';
export {
  inspectStore,
  type StoreCheck,
  type StoreInspection,
} from './inspect-store.js';
export { readJournalLine } from './journal-line.js';
export { LedgerChain, type LedgerFault } from './ledger-chain.js';
export { entryHash, type LedgerLine } from './ledger-line.js';
export { openLine, sealLine } from './line.js';
export { LineFiles } from './line-files.js';
export { makeFolder } from './make-folder.js';
export { packageFolder } from './package-folder.js';
export { PinnedDirectory } from './pinned-directory.js';
export { type Liveness, machineProcesses, type ProcessIdentity, type ProcessTable } from './process-identity.js';
export { readOnlyFileSystem } from './read-only.js';
export { recordOf } from './record-of.js';
export { restoreFolder, type StoreContent } from './restore-folder.js';
export { type Signature, signatureOf, signDecisions } from './signed-decisions.js';
export { type LedgerReport, verifyLedger } from './verify-ledger.js';
