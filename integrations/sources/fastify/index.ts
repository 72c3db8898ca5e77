export { loopRoutes } from './plugin.js';
