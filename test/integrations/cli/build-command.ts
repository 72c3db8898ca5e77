import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { BASE } from '../../../integrations/dashboard/views.js';

/** Builds `rsi` from the source into one file in `folder` and gives its path: a run then costs no compiling. */
export async function buildCommand(folder: string): Promise<string> {
  return bundleAll(resolve(import.meta.dirname, '../../../integrations/cli/main.ts'), join(folder, 'rsi.mjs'));
}

/** Builds a door of the package into `<name>.mjs` in `folder`, for programs that a test writes there. */
export async function buildDoor(folder: string, name: string): Promise<void> {
  const program = resolve(import.meta.dirname, `../../../integrations/${name}/index.ts`);
  await bundleAll(program, join(folder, `${name}.mjs`));
}

/** Builds a program and every package that it uses into one file, and returns its path. */
export async function bundleAll(program: string, outfile: string): Promise<string> {
  await build({
    entryPoints: [program],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    // As tsup does: the CommonJS form of some packages loads its parts in a way no bundler follows.
    mainFields: ['module', 'main'],
    target: 'node20',
    // As in tsup.config.ts: CommonJS packages call `require`.
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return outfile;
}

/** Builds the workers of the sandbox where a command built in `folder` finds them: in the package. */
export async function buildSandbox(folder: string): Promise<void> {
  const root = resolve(import.meta.dirname, '../../..');
  const modules = join(folder, 'node_modules');
  const home = join(modules, 'rsi-loop');
  await bundleAll(join(root, 'integrations/skills/sandboxes/worker/main.ts'), join(home, 'dist', 'sandbox-worker.js'));
  writeFileSync(join(home, 'package.json'), '{"name":"rsi-loop","version":"0.0.0","type":"module"}');
  // The engine itself is a file of its package.
  symlinkSync(join(root, 'node_modules', '@jitl'), join(modules, '@jitl'), 'junction');
}

/** Puts a folder of this package where a command built in `folder` finds it. */
export function linkPackageFolder(folder: string, ...names: readonly string[]): void {
  const home = join(folder, 'node_modules', 'rsi-loop');
  mkdirSync(join(home, ...names.slice(0, -1)), { recursive: true });
  writeFileSync(join(home, 'package.json'), '{"name":"rsi-loop"}');
  symlinkSync(resolve(import.meta.dirname, '../../..', ...names), join(home, ...names), 'junction');
}

/** Writes a page of the dashboard without a script where a command built in `folder` finds it: in the package. */
export function writePage(folder: string): void {
  const home = join(folder, 'node_modules', 'rsi-loop');
  mkdirSync(join(home, 'dist', 'dashboard'), { recursive: true });
  writeFileSync(join(home, 'package.json'), '{"name":"rsi-loop","version":"0.0.0"}');
  writeFileSync(join(home, 'dist', 'dashboard', 'index.html'), `<!doctype html>${BASE}<title>Dashboard</title>`);
}
