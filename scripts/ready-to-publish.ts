/** First step of `npm publish`: stops if package.json still names a placeholder, or the changelog lacks the version. */
import { readFileSync } from 'node:fs';
import { publishFaults } from './tarball-faults.js';

const faults = publishFaults(JSON.parse(readFileSync('package.json', 'utf8')), readFileSync('CHANGELOG.md', 'utf8'));
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
