import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startPublishRegistry } from './registry.js';

const run = promisify(execFile);

/** Tarball, and the hash by which a registry and a lockfile name it. */
export interface Packed {
  readonly tarball: string;
  readonly integrity: string;
}

/** Packs the package of a folder into `into`. Runs no scripts. */
export async function pack(project: string, into: string): Promise<Packed> {
  mkdirSync(into, { recursive: true });
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', into];
  const { stdout } = await run('npm', args, { cwd: project });
  const [{ filename, integrity }] = JSON.parse(stdout);
  return { tarball: join(into, filename), integrity };
}

/** Copies the files that git knows, as they are now, and links the installed packages. */
export function copyProject(project: string, into: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: project,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(into, file)), { recursive: true });
    cpSync(join(project, file), join(into, file), { force: true });
  }
  // Names of chunks depend on where packages are, so a symbolic link would change them.
  execFileSync('cp', ['-al', join(project, 'node_modules'), join(into, 'node_modules')]);
}

/**
 * Publishes a tarball to a registry on the loopback address, and installs it from there in an empty folder. Returns the hash
 * in the lockfile of that folder and what `command` prints there.
 */
export async function publishAndInstall(
  { tarball }: Packed,
  { name, command, folder }: { readonly name: string; readonly command: readonly string[]; readonly folder: string },
): Promise<{ readonly integrity: string; readonly printed: string }> {
  const registry = await startPublishRegistry();
  try {
    const home = join(folder, 'home');
    const project = join(folder, 'project');
    for (const made of [home, project]) mkdirSync(made, { recursive: true });
    // npm refuses to publish without a token. This registry does not read it.
    writeFileSync(join(home, '.npmrc'), `${registry.url.replace('http:', '')}/:_authToken=none\n`);
    writeFileSync(join(project, 'package.json'), '{ "private": true }');
    const env = {
      ...{ PATH: process.env.PATH, HOME: home, npm_config_registry: registry.url },
      ...{ npm_config_cache: join(folder, 'cache'), npm_config_loglevel: 'error' },
      ...{ npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' },
    };
    // A workflow states the origin; there is none here.
    await run('npm', ['publish', tarball, '--provenance=false', '--access=public'], { cwd: folder, env });
    await run('npm', ['install', name], { cwd: project, env });
    const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
    const [program = '', ...args] = command;
    const { stdout } = await run(join(project, 'node_modules/.bin', program), args, { cwd: project, env });
    return { integrity: packages[`node_modules/${name}`].integrity, printed: stdout.trim() };
  } finally {
    registry.stop();
  }
}
