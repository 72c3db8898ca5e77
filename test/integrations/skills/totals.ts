import type { Json } from '../../../src/contract/json.js';

/** Code that totals the second column of a CSV. */
export const TOTAL =
  'export default ({ csv }) => ({ total: csv.split("\\n").reduce((sum, line) => sum + (Number(line.split(",")[1]) || 0), 0) });';
const NUMBERS = [[1, 2], [3, 4, 5], [10], [0.5, 0.25], [7, 7, 7, 7], [100, -1], [2, 2], [9, 1, 5]];
/** Inputs and outputs of a skill that totals the second column. */
export const TOTALS: readonly (readonly [Json, Json])[] = NUMBERS.map((numbers) => [
  { csv: numbers.map((number, at) => `row${at},${number}`).join('\n') },
  { total: numbers.reduce((sum, number) => sum + number, 0) },
]);
