import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { ProviderOptions } from './faults.js';

/** A running model server. */
export interface Provider {
  readonly url: string;
  stop(): void;
}

/** Starts the model server on loopback, in a process of its own. */
export function startProvider(options: ProviderOptions): Promise<Provider> {
  const child = fork(join(import.meta.dirname, 'provider.ts'), [JSON.stringify(options)], {
    execArgv: ['--import', 'tsx'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', (url) => resolve({ url: String(url), stop: () => child.disconnect() }));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the model server ended with code ${code}`)));
  });
}
