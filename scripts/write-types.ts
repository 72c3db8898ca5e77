/** Writes the types of the package. Alone: `tsx scripts/write-types.ts [FOLDER]`. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'tsup';
import ts from 'typescript';
import { DOORS } from './doors.js';

/** Types of each source file, from which those of the entries are bundled. */
const DRAFTS = '.tmp/types';

// The bundler could read the sources itself. It then takes 8 GB and six times as long.
rmSync(DRAFTS, { recursive: true, force: true });
writeDrafts();
const entry = Object.fromEntries(
  Object.entries(DOORS).map(([door, source]) => [door, join(DRAFTS, source.replace(/\.ts$/, '.d.ts'))]),
);
await build({
  entry,
  outDir: process.argv[2] ?? 'dist',
  format: ['cjs'],
  // Integrations import the main entry by its name; resolved inside the installed package, it stays one copy.
  external: [/^rsi-loop(\/|$)/, /^node:/],
  dts: { only: true, entry },
  config: false,
  silent: true,
});

/** Stops the script at a type error. */
function writeDrafts(): void {
  const fail = (errors: readonly ts.Diagnostic[]) => {
    if (errors.length === 0) return;
    const root = process.cwd();
    console.error(
      ts.formatDiagnostics(errors, {
        getCurrentDirectory: () => root,
        getCanonicalFileName: (name) => name,
        getNewLine: () => '\n',
      }),
    );
    process.exit(1);
  };
  const { config, error } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  fail(error ? [error] : []);
  const { options, errors } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.');
  fail(errors);
  const program = ts.createProgram(Object.values(DOORS), {
    ...options,
    ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, noEmitOnError: true },
    ...{ rootDir: '.', outDir: DRAFTS },
  });
  fail(program.emit().diagnostics);
}
