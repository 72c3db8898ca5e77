/**
 * Tries the package as a user gets it: packed, installed without network in an empty folder, used from ESM, CommonJS
 * and strict TypeScript. Checks what the tarball holds first. Runs on Node 20 and 24, with `--all-nodes` on 22 and 26 as well.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { DOORS, importName } from './doors.js';
import { nodeBinary } from './node-binary.js';
import { mustRun } from './run.js';
import { fileFaults, sizeFaults, tarballFaults, withoutIntegrity } from './tarball-faults.js';

const NODES = process.argv.includes('--all-nodes') ? [20, 22, 24, 26] : [20, 24];
const CONSUMERS = resolve('test/packed');
const TSC = resolve('node_modules/typescript/bin/tsc');

const folder = mkdtempSync(join(tmpdir(), 'rsi-loop-packed-'));
try {
  cpSync(CONSUMERS, folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
  writeFileSync(join(folder, 'doors.json'), JSON.stringify(Object.keys(DOORS).map(importName)));
  const tarball = packed(folder);
  mustRun('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball], folder);
  mustBeClean(join(folder, 'node_modules', 'rsi-loop'));

  for (const config of ['tsconfig.bundler.json', 'tsconfig.node16.json']) {
    mustRun(process.execPath, [TSC, '--project', config], folder);
    console.log(`strict TypeScript with ${config}: ok`);
  }
  for (const major of NODES) {
    const node = nodeBinary(major);
    for (const file of ['esm.mjs', 'cjs.cjs', 'command.mjs']) mustRun(node, [file], folder);
    console.log(`Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}: ESM, CommonJS and rsi: ok`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Packs the project into `into` and gives the path of the tarball. */
function packed(into: string): string {
  const printed = execFileSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', into], {
    encoding: 'utf8',
  });
  const [tarball] = JSON.parse(printed);
  const { filename, entryCount, size, unpackedSize } = tarball;
  console.log(
    `${filename}: ${entryCount} files, ${Math.round(size / 1000)} kB packed, ${Math.round(unpackedSize / 1000)} kB unpacked`,
  );
  stopAt(sizeFaults({ size, unpackedSize }));
  return join(into, tarball.filename);
}

/** Stops the script if the package lacks a licence text or holds a path of this machine, or if the lockfile lacks a hash. */
function mustBeClean(installed: string): void {
  const paths = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = new Map(
    paths.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(installed, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')];
    }),
  );
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const manifest = JSON.parse(files.get('package.json') ?? '{}');
  const faults = [
    ...fileFaults([...files.keys()], manifest),
    ...tarballFaults(files, [resolve('.'), `${homedir()}/`]),
    ...withoutIntegrity(packages).map((path) => `package-lock.json has no integrity for ${path}`),
  ];
  stopAt(faults);
  console.log(
    `${files.size} files: licence texts, sbom and hashes are complete, no stray file, no path of this machine`,
  );
}

function stopAt(faults: readonly string[]): void {
  if (faults.length === 0) return;
  console.error(faults.join('\n'));
  process.exit(1);
}
