/** `rsi-loop/record`: records outcomes and sends them to a loop elsewhere. Runs in browsers; has no loop in it. */
export type { Clock } from '../contract/clock.js';
export type { Deployment } from '../contract/deployment.js';
export { LoopError, type LoopErrorCode } from '../contract/errors.js';
export type { Outcome } from '../contract/outcome.js';
export { type CallSpan, type CallStart, startCall, untracked } from '../live/start-call.js';
export type { NoticedFailure, OutcomeFields, OutcomeObserver } from '../observe/outcome-observer.js';
export { redact } from '../observe/redact.js';
export type { Destination, Posted } from './destination.js';
export { Recorder, type RecorderOptions } from './recorder.js';
