/**
 * Kill -9 of processes that learn skills, at random moments, 200 times (`--kills=N`). `--seed=N` chooses other moments, so
 * that several short runs add up. The long version of test/integrations/skills/kill.slow.test.ts.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundleProcess } from '../bundle-process.js';
import { killWhileLearning } from '../integrations/skills/kills.js';

const numberOf = (option: string, normally: number) =>
  Number(process.argv.find((arg) => arg.startsWith(`--${option}=`))?.split('=')[1] ?? normally);
mkdirSync('.tmp', { recursive: true });
const folder = mkdtempSync(resolve('.tmp', 'skill-kills-'));
try {
  const program = await bundleProcess('test/integrations/skills/killed-process.ts', folder, { external: ['sucrase'] });
  const { broken, ...counts } = await killWhileLearning(program, folder, {
    least: numberOf('kills', 200),
    seed: numberOf('seed', 29),
  });
  console.log(`${JSON.stringify(counts)}, promises broken: ${broken.length}`);
  for (const what of broken.slice(0, 10)) console.log(`  ${what}`);
  if (broken.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
