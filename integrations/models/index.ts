export { ModelPool, type ModelPoolOptions } from './model-pool.js';
export { ModelRouter, type ModelRouterOptions } from './model-router.js';
export { OllamaModel, type OllamaModelOptions } from './ollama-model.js';
export type { PoolHostStatus } from './pool-host.js';
export { type ProbedServer, probe, type SelectedModel, type SelectModelOptions, selectModel } from './select-model.js';
export type { ServerOptions } from './server.js';
export { VllmModel, type VllmModelOptions } from './vllm-model.js';
