/** `npm run campaign -- soak [--outcomes=10000000]`: outcomes of a wide world through a loop over a folder, counted by another reader. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { soakWideWorld } from '../node/soak.js';

const outcomes = Number(process.argv.find((arg) => arg.startsWith('--outcomes='))?.slice(11) ?? 10_000_000);
const folder = mkdtempSync(join(tmpdir(), 'rsi-soak-'));
try {
  const { broken, ...counts } = await soakWideWorld(folder, outcomes);
  console.log(JSON.stringify(counts));
  for (const what of broken.slice(0, 10)) console.log(what);
  if (broken.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
