/** After `npm ci` in a clone: lets `npx rsi` find the command, which npm links only for packages that are installed. */
import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const link = path('../node_modules/.bin/rsi');

if (existsSync(path('../node_modules/.bin')) && process.platform !== 'win32') {
  rmSync(link, { force: true });
  chmodSync(path('rsi.mjs'), 0o755);
  symlinkSync('../../scripts/rsi.mjs', link);
}
