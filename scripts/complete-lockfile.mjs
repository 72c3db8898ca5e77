/**
 * `npm run lock`, after every change of dependencies: writes the platform packages into package-lock.json that npm left
 * out. A registry (or a mirror) that does not serve the binaries of other platforms makes `npm install` drop them from
 * the lockfile without a word, and `npm ci` then refuses it on every machine ("Missing: ... from lock file").
 */
import { readFileSync, writeFileSync } from 'node:fs';

const SYSTEMS = ['android', 'aix', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const CPUS = ['arm64', 'arm', 'x64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32'];

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const added = [];

for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (find(path, name) === version || !/^\d/.test(version)) continue;
    const root = `node_modules/${name}`;
    const place = lock.packages[root] ? `${path}/node_modules/${name}` : root;
    lock.packages[place] = platformEntry(name, version, entry);
    added.push(`${name}@${version}`);
  }
}

if (added.length > 0) {
  const { '': project, ...rest } = lock.packages;
  const sorted = Object.entries(rest).sort(([one], [other]) => one.localeCompare(other, 'en'));
  lock.packages = { '': project, ...Object.fromEntries(sorted) };
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
console.log(added.length === 0 ? 'lockfile is complete' : `added ${added.length}:\n  ${added.join('\n  ')}`);

/** The version that `require(name)` from the package at `path` would get, walking up as Node does. */
function find(path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const found = lock.packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`];
    if (found || at === '') return found?.version;
    if (!at.includes('/node_modules/')) at = '/node_modules/';
  }
}

/** Names of platform packages say what they run on: `@esbuild/linux-arm64`, `@rollup/rollup-linux-x64-musl`. */
function platformEntry(name, version, parent) {
  const words = name.split(/[^a-z0-9]+/);
  const pick = (list) => list.filter((word) => words.includes(word) || (word === 'arm' && words.includes('armv7')));
  const cpu = pick(CPUS);
  const os = pick(SYSTEMS);
  const libc = /musl/.test(name) ? ['musl'] : /gnu/.test(name) ? ['glibc'] : [];
  return {
    version,
    ...(cpu.length > 0 && { cpu }),
    ...(parent.dev && { dev: true }),
    ...(libc.length > 0 && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}
