/**
 * `npm run campaign -- prompts [--lives=200] [--only=useless]`: versions of a prompt in whole loops: proposed, approved,
 * tried by task or by session, and judged; and models and versions chosen by features of requests. Exit code 1 when a goal is missed.
 */
import { PROMPT_ROWS } from './prompts/index.js';
import { USELESS_ROWS } from './prompts/worlds.js';
import { ROUTE_ROWS } from './routes/index.js';
import { printTable } from './verdicts/table.js';

await printTable(import.meta.url, [...PROMPT_ROWS, ...USELESS_ROWS, ...ROUTE_ROWS]);
