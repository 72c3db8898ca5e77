/** First step of `npm publish`: stops if a published file still names a placeholder, or the changelog lacks the version. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHIPPED_PAGES } from './manual.js';
import { publishFaults } from './tarball-faults.js';

const PLUGIN = 'integrations/plugin';
const inPlugin = readdirSync(PLUGIN, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
const published = [
  ...SHIPPED_PAGES,
  'scripts/manual.ts',
  'docs/mcp.md',
  'integrations/mcp/server.json',
  ...inPlugin.map((file) => join(PLUGIN, file)),
];
const faults = [
  ...publishFaults(JSON.parse(readFileSync('package.json', 'utf8')), readFileSync('CHANGELOG.md', 'utf8')),
  ...published.filter((file) => /\bOWNER\b/.test(readFileSync(file, 'utf8'))).map((file) => `${file}: replace OWNER`),
];
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
