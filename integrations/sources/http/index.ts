export type { ItemError, ProblemBody } from '../../http/http-problem.js';
export { createLoopHandler, type LoopHandler } from './handler.js';
export type { LoopLimits, LoopRoutesOptions } from './http-options.js';
export type { ReceivedBody, ReceivedItem } from './observe.js';
export type { BeginBody } from './open-tasks.js';
export { DEFAULT_PORT, type LoopServer, type ServeOptions, serve } from './serve.js';
export type { BegunBody } from './tasks.js';
