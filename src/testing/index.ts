export { ManualClock } from './manual-clock.js';
export { type ModelContractOptions, type ModelPlace, modelContract } from './model-contract.js';
export { type ModelStep, type Scripted, ScriptedModel, type ScriptedModelOptions } from './scripted-model.js';
export {
  type StoreContractOptions,
  type StorePlace,
  storeContract,
  type TestRunner,
} from './store-contract.js';
export { type WorkspaceContractOptions, type WorkspacePlace, workspaceContract } from './workspace-contract.js';
