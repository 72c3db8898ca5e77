/** `rsi-loop/testing`: tests of your own store, workspace or model, the types of a store's parts, and a clock to set. */

export type { Coordination, Lease, WriterState } from '../contract/coordination.js';
export type { EraseReceipt } from '../contract/erasure.js';
export type { Journal, StoredRecord } from '../contract/journal.js';
export type { AppendResult, LedgerHead, LedgerLog, StoredEntry } from '../contract/ledger-log.js';
export type { Saved, Snapshot, Snapshots } from '../contract/snapshots.js';
export type { StoreProblem } from '../contract/store.js';
export type { WorkspaceFile, WriteResult } from '../contract/workspace.js';
export type { PartPlace } from './contract-suite.js';
export { coordinationContract } from './coordination-contract.js';
export { journalContract } from './journal-contract.js';
export { ledgerContract } from './ledger-contract.js';
export { ManualClock } from './manual-clock.js';
export { type ModelPlace, modelContract } from './model-contract.js';
export { type ModelStep, type Scripted, ScriptedModel } from './scripted-model.js';
export { snapshotsContract } from './snapshots-contract.js';
export { type StorePlace, storeContract } from './store-contract.js';
export { type WorkspacePlace, workspaceContract } from './workspace-contract.js';
