/**
 * `npm run campaign -- regret [--lives=20] [--only=hang]`: lives months of a loop in twelve worlds, beside the best settings
 * from the beginning and beside no fixes at all. The same rows are part of the table of verdicts.
 */
import { REGRET_ROWS } from './regret/index.js';
import { printTable } from './verdicts/table.js';

await printTable(import.meta.url, REGRET_ROWS);
