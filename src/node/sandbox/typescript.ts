// The bundle declares `createRequire` at its top.
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { LoopError } from '../../contract/errors.js';

/** Part of `typescript` in use here. */
interface Compiler {
  transpile(text: string, options: object): string;
}

/**
 * Returns a module of TypeScript as a file that this Node can run. Node reads types from 22.18 on. An older one needs the
 * `typescript` of the project.
 * @throws LoopError `missing-peer` if there is none.
 */
export function runnableModule(name: string, text: string): { readonly path: string; readonly text: string } {
  // The property is absent from the types of Node 20.
  if ((process.features as { typescript?: unknown }).typescript) return { path: `${name}.mts`, text };
  const options = { module: 99 /* ESNext */, target: 9 /* ES2022 */ };
  return { path: `${name}.mjs`, text: findCompiler().transpile(text, options) };
}

function findCompiler(): Compiler {
  try {
    return nodeModule.createRequire(join(process.cwd(), 'package.json'))('typescript');
  } catch (cause) {
    const why = `Node ${process.versions.node} cannot read TypeScript, and the project has no typescript`;
    throw new LoopError('missing-peer', `${why}: run "npm install --save-dev typescript", or use Node 22.18 or newer`, {
      cause,
    });
  }
}
