export type {
  BuildOptions,
  Sandbox,
  SandboxAnswer,
  SandboxCall,
  SandboxFailure,
  SandboxHost,
  SandboxLanguage,
  SandboxLimits,
  SandboxModule,
  SandboxPermissions,
  SandboxProgram,
  SandboxRequest,
  SandboxResponse,
  SandboxRun,
} from '../sandbox.js';
export type { Network } from './host/network.js';
export { openSandbox } from './open-sandbox.js';
export { ProcessSandbox } from './process-sandbox.js';
export { QuickJsSandbox, WasiSandbox, type WorkerSandboxOptions } from './worker-sandbox.js';
