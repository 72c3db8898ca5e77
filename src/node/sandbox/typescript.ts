// The bundle declares `createRequire` at its top.
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { LoopError } from '../../contract/errors.js';

/** Module as a file that this Node can run. */
export interface RunnableModule {
  readonly path: string;
  readonly text: string;
  /** Options of Node. */
  readonly flags: readonly string[];
  /** Present if types could not be removed: plain JavaScript runs, TypeScript ends with a SyntaxError. */
  readonly lacksCompiler?: LoopError;
}

/** Part of `typescript` in use here. */
interface Compiler {
  transpile(text: string, options: object): string;
}

/** Returns a module of TypeScript as a file to run. Node reads types from 22 on. Node 20 needs `typescript`. */
export function runnableModule(name: string, text: string): RunnableModule {
  // The property is absent from the types of Node 20.
  if ((process.features as { typescript?: unknown }).typescript) return { path: `${name}.mts`, text, flags: [] };
  if (Number.parseInt(process.versions.node, 10) >= 22) {
    return { path: `${name}.mts`, text, flags: ['--experimental-strip-types'] };
  }
  const path = `${name}.mjs`;
  const options = { module: 99 /* ESNext */, target: 9 /* ES2022 */ };
  try {
    return { path, text: findCompiler().transpile(text, options), flags: [] };
  } catch (cause) {
    const why = `Node ${process.versions.node} cannot read TypeScript, and the project has no typescript`;
    const advice = 'run "npm install --save-dev typescript", or use Node 22 or newer';
    return { path, text, flags: [], lacksCompiler: new LoopError('missing-peer', `${why}: ${advice}`, { cause }) };
  }
}

function findCompiler(): Compiler {
  return nodeModule.createRequire(join(process.cwd(), 'package.json'))('typescript');
}
