/** Runs `run-costs.ts` bundled, as the package is: the loader of TypeScript names every function again at each call. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundleProcess } from '../bundle-process.js';

mkdirSync('.tmp', { recursive: true });
const folder = mkdtempSync(resolve('.tmp', 'bench-run-')); // the other libraries are found from here
try {
  const external = ['cockatiel', 'opossum'];
  const script = await bundleProcess(resolve(import.meta.dirname, 'run-costs.ts'), folder, { external });
  process.exitCode = spawnSync(process.execPath, [script], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
