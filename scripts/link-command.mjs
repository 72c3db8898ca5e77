/**
 * After `npm ci` in a clone: lets `npx rsi` and `npx rsi-loop` find the command, which npm links only for packages that are
 * installed.
 */
import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

if (existsSync(path('../node_modules/.bin')) && process.platform !== 'win32') {
  chmodSync(path('rsi.mjs'), 0o755);
  for (const name of ['rsi', 'rsi-loop']) {
    const link = path(`../node_modules/.bin/${name}`);
    rmSync(link, { force: true });
    symlinkSync('../../scripts/rsi.mjs', link);
  }
}
