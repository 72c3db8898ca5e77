// The bundle declares `createRequire` at its top.
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { LoopError } from 'rsi-loop';
import { CompilerThread } from './compiler-thread.js';

/** Module as a file that this Node can run. */
export interface RunnableModule {
  readonly path: string;
  readonly text: string;
  /** Options of Node. */
  readonly flags: readonly string[];
  /** Present if types could not be removed: plain JavaScript runs, TypeScript ends with a SyntaxError. */
  readonly lacksCompiler?: LoopError;
}

/**
 * Returns a module of TypeScript as a file to run; `undefined` if removing its types exceeds the limit. Node reads types
 * from 22 on. Node 20 needs `typescript`.
 */
export async function runnableModule(
  name: string,
  text: string,
  timeoutMs: number,
): Promise<RunnableModule | undefined> {
  // The property is absent from the types of Node 20.
  if ((process.features as { typescript?: unknown }).typescript) return { path: `${name}.mts`, text, flags: [] };
  if (Number.parseInt(process.versions.node, 10) >= 22) {
    return { path: `${name}.mts`, text, flags: ['--experimental-strip-types'] };
  }
  const path = `${name}.mjs`;
  try {
    const found = nodeModule.createRequire(join(process.cwd(), 'package.json')).resolve('typescript');
    compiler ??= new CompilerThread(found);
    const code = await compiler.transpile(text, timeoutMs);
    return code === undefined ? undefined : { path, text: code, flags: [] };
  } catch (cause) {
    const why = `Node ${process.versions.node} cannot read TypeScript, and the project has no typescript`;
    const advice = 'run "npm install --save-dev typescript", or use Node 22 or newer';
    return { path, text, flags: [], lacksCompiler: new LoopError('missing-peer', `${why}: ${advice}`, { cause }) };
  }
}

/** Started once, as loading the compiler takes longer than its work. It holds nothing of a run. */
let compiler: CompilerThread | undefined;
