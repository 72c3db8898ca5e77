export { LoopError, type LoopErrorCode } from './errors.js';
export * from './records.js';
