export { ManualClock } from './manual-clock.js';
export {
  type StoreContractOptions,
  type StorePlace,
  storeContract,
  type TestRunner,
} from './store-contract.js';
