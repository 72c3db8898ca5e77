// The bundle declares `createRequire` at its top.
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';

/** Returns the path of a folder of this package, as it is installed. */
export function packageFolder(...names: readonly string[]): string {
  return join(dirname(nodeModule.createRequire(import.meta.url).resolve('rsi-loop/package.json')), ...names);
}
