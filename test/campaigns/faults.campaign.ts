/**
 * One row per class of faults, as Markdown: `npm run campaign -- faults [--word ...]` runs the short cut of each class, or
 * of those whose names hold a word. The table in docs/security.md is its output. `--outcomes=10000000` is the
 * length of the soak.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAULT_CLASSES } from './faults/classes.js';
import type { FaultClass } from './faults/fault-class.js';

const words = process.argv.slice(2).map((arg) => arg.replace(/^--/, ''));
const folder = mkdtempSync(join(tmpdir(), 'rsi-faults-'));

async function rowOf(fault: FaultClass): Promise<readonly (string | number)[]> {
  const { cases, lost = '', doubled = '', escapes = '', broken } = await fault.run(folder);
  for (const what of broken.slice(0, 5)) console.error(`${fault.name}: ${what}`);
  if (broken.length > 0) process.exitCode = 1;
  const verdict = broken.length === 0 ? 'held' : `BROKEN ${broken.length} times`;
  return [
    fault.name,
    cases,
    lost,
    doubled,
    escapes,
    fault.inFull ? `${verdict}; in full: \`${fault.inFull}\`` : verdict,
  ];
}

const show = (cells: readonly (string | number)[]) => console.log(`| ${cells.join(' | ')} |`);

try {
  show(['class', 'cases', 'lost', 'doubled', 'escapes', 'verdict']);
  show(['---', '--:', '--:', '--:', '--:', '---']);
  for (const fault of FAULT_CLASSES) {
    if (words.length === 0 || words.some((word) => fault.name.includes(word))) show(await rowOf(fault));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
