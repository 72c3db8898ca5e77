/** Part of the library that is loaded late: it analyses records and decides about fixes. */
export { localize } from '../analyze/localize.js';
export { agentPatterns } from './agent-patterns.js';
export { Judge } from './judge.js';
export { recall } from './recall.js';
export { rootCauses } from './root-causes.js';
