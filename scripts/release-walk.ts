/**
 * `npm run release-walk`: walks through docs/release.md without the public registry. Builds and packs the package in two
 * folders, compares their hashes, publishes it to a registry on this machine, and installs it from there. Needs
 * `npm run build`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { copyProject, pack, publishAndInstall } from './release/walk.js';
import { mustRun } from './run.js';

const project = resolve('.');
const folder = resolve('.tmp/release');
rmSync(folder, { recursive: true, force: true });
const second = join(folder, 'second');
try {
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
  copyProject(project, second);
  mustRun('npx', ['tsup', '--silent'], second);
  const packed = await pack(project, join(folder, 'packed'));
  const again = await pack(second, join(folder, 'packed-again'));
  must(packed.integrity === again.integrity, `two folders give the same tarball: ${packed.integrity}`);

  const { components } = JSON.parse(readFileSync('dist/sbom.json', 'utf8'));
  must(components.length > 0, `the tarball lists its ${components.length} bundled packages in dist/sbom.json`);

  const installed = await publishAndInstall(packed, { name, command: ['rsi', '--version'], folder });
  must(installed.integrity === packed.integrity, 'the lockfile of a user names the hash of that tarball');
  must(installed.printed === version, `rsi --version prints ${installed.printed}`);

  console.log('\nleft to do before this version can be published:');
  console.log(leftToDo() || 'nothing');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function must(holds: boolean, what: string): void {
  console.log(`${holds ? 'ok    ' : 'FAILED'} ${what}`);
  if (!holds) process.exitCode = 1;
}

/** Returns what the first step of `npm publish` finds. */
function leftToDo(): string {
  try {
    execFileSync('npx', ['tsx', 'scripts/ready-to-publish.ts'], { encoding: 'utf8', stdio: 'pipe' });
    return '';
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr ?? error).trim(); // of execFileSync
  }
}
