/**
 * Runs every section of docs/first-minutes.md word for word, on Node 20 and 24: from an empty folder, with the packed package,
 * `npm install` from a local registry. Prints the time to the first pattern; each has to be under two minutes. Needs
 * `npm run build`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { readSections } from './first-minutes/page.js';
import { startRegistry } from './first-minutes/registry.js';
import { freePort, onPort, runSection, SERVE_PORT } from './first-minutes/run-section.js';
import { makeHome, startStandIn } from './first-minutes/stand-in.js';
import { nodeBinary } from './node-binary.js';

const LIMIT_SECONDS = 120;
const NODES = [20, 24];
/** Sections that say which version they need. */
const NEEDS_22 = 'AI SDK';

if (!existsSync('dist/cli.js')) {
  console.error('there is no dist/cli.js: run "npm run build" first');
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'first-minutes-'));
const standIn = await startStandIn();
try {
  const packed = execFileSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', folder], {
    encoding: 'utf8',
  });
  const own = JSON.parse(readFileSync('package.json', 'utf8'));
  const tarball = join(folder, JSON.parse(packed)[0].filename);
  const registry = await startRegistry(resolve('node_modules'), { own, tarball, cache: join(folder, 'tarballs') });
  const only = process.argv[2]?.toLowerCase();
  const sections = readSections(readFileSync('docs/first-minutes.md', 'utf8'));
  for (const [index, section] of sections.entries()) {
    if (only !== undefined && !section.title.toLowerCase().includes(only)) continue;
    for (const major of NODES) {
      if (major < 22 && section.title === NEEDS_22) continue;
      const home = join(folder, `home-${index}-${major}`);
      mkdirSync(home);
      if (section.title === 'Claude Code') makeHome(home);
      const env = {
        ...{ PATH: [dirname(nodeBinary(major)), process.env.PATH].join(delimiter), HOME: home, COLUMNS: '100' },
        ...standIn.env,
        npm_config_registry: registry.url,
        npm_config_cache: join(folder, `cache-${index}`),
        npm_config_audit: 'false',
        npm_config_fund: 'false',
      };
      const port = await freePort(SERVE_PORT);
      // Word for word, unless another program has the port of `rsi serve`.
      const rewrite = (code: string) => (port === SERVE_PORT ? code : onPort(code, port));
      const place = join(folder, `project-${index}-${major}`);
      const { title, seconds, problem } = await runSection(section, { folder: place, env, rewrite });
      const isLate = seconds > LIMIT_SECONDS;
      console.log(
        `${title.padEnd(28)}Node ${major}${seconds.toFixed(1).padStart(7)} s  ${problem ?? (isLate ? 'too late' : 'first pattern')}`,
      );
      if (problem !== undefined || isLate) process.exitCode = 1;
    }
  }
  registry.stop();
} finally {
  standIn.stop();
  rmSync(folder, { recursive: true, force: true });
}
