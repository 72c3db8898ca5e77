// The bundle declares `createRequire` at its top.
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Program of a worker thread: a file, or the text of a script. */
export type WorkerFile = URL | string;

/** Returns the program of the workers: built beside this module, or its source if this module is source itself. */
export function workerFile(): WorkerFile {
  const require = nodeModule.createRequire(import.meta.url);
  if (!import.meta.url.endsWith('.ts')) {
    return pathToFileURL(join(dirname(require.resolve('rsi-loop/package.json')), 'dist', 'sandbox-worker.js'));
  }
  const loader = join(dirname(require.resolve('tsx/package.json')), 'dist/esm/api/index.mjs');
  const main = new URL('./worker/main.ts', import.meta.url);
  return `
    import(${JSON.stringify(pathToFileURL(loader).href)}).then(({ register }) => {
      register();
      return import(${JSON.stringify(main.href)});
    })`;
}
