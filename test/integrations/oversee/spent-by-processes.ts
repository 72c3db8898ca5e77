import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundleProcess } from '../../bundle-process.js';
import { runNode } from '../../run-node.js';

/** Limit that the processes share, in dollars. */
export const SHARED_USD = 0.5;

/** Returns what four processes with five children each spent together, if prices are known before each call or not. */
export async function spentByProcesses(known: 'known' | 'unknown'): Promise<number> {
  mkdirSync('.tmp', { recursive: true });
  const folder = mkdtempSync(resolve('.tmp', 'oversee-'));
  try {
    const program = await bundleProcess('test/integrations/oversee/spend-process.ts', folder);
    const home = join(folder, known);
    mkdirSync(home);
    const all = Array.from({ length: 4 }, () => runNode([program, home, known], { cwd: folder }));
    let sum = 0;
    for (const { code, stdout, stderr } of await Promise.all(all)) {
      if (code !== 0) throw new Error(stderr);
      sum += (JSON.parse(stdout) as { readonly spent: number }).spent; // what the program prints
    }
    return sum;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
