/**
 * Kill -9 of an improvement between any two steps, 500 times (`--kills=N`): no run is paid twice, no result is lost, and no
 * version is half approved. Each life ends like one without kills. The long version of test/integrations/improve/kill.slow.test.ts.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundleProcess } from '../bundle-process.js';
import { killBetweenSteps } from '../integrations/improve/kills.js';

const PARTS = ['rsi-loop', 'rsi-loop/bench', 'rsi-loop/improve'];
const least = Number(process.argv.find((arg) => arg.startsWith('--kills='))?.split('=')[1] ?? 500);
mkdirSync('.tmp', { recursive: true });
const folder = mkdtempSync(resolve('.tmp', 'improve-kills-'));
try {
  const program = await bundleProcess('test/integrations/improve/killed-process.ts', folder, { noExternal: PARTS });
  const started = performance.now();
  const { broken, ...counts } = await killBetweenSteps({ program, folder }, least);
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(`${JSON.stringify(counts)}, promises broken: ${broken.length} (${seconds} s)`);
  for (const what of broken.slice(0, 10)) console.log(`  ${what}`);
  if (broken.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
