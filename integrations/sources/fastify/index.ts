export type { ItemError, ProblemBody } from '../../http/problem.js';
export type { ReceivedBody, ReceivedItem } from './observe.js';
export type { BeginBody } from './open-tasks.js';
export type { LoopLimits, LoopRoutesOptions } from './options.js';
export { loopRoutes } from './plugin.js';
export { DEFAULT_PORT, type Fastify, type LoopServer, type ServeOptions, serve } from './serve.js';
export type { BegunBody } from './tasks.js';
