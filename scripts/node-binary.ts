import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mustRun } from './run.js';

const SYSTEM = { win32: 'win', darwin: process.arch === 'arm64' ? 'bin-darwin' : 'darwin' }[process.platform as string];
/** Package with the binary that `node` would fetch in an install script, without running one. */
const NODE_PACKAGE = `node-${SYSTEM ?? process.platform}-${process.arch}`;

/** Returns this Node if it is of that version, else the one that the npm packages `node-<platform>` carry. */
export function nodeBinary(major: number): string {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const place = resolve(`node_modules/.cache/node-${major}`);
  const binary = join(place, 'node_modules', NODE_PACKAGE, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(binary)) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), '{ "private": true }');
    mustRun('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `${NODE_PACKAGE}@${major}`], place);
  }
  return binary;
}
