/**
 * `npm run campaign -- verdicts [--lives=400] [--only=cures]`: lives whole lives of the loop in worlds that are hard for
 * its verdicts, and prints what must hold over all of them beside what was measured. Exit code 1 when a goal is missed.
 */
import { ROWS } from './verdicts/index.js';
import { printTable } from './verdicts/table.js';

await printTable(import.meta.url, ROWS);
