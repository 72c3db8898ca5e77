/** `npm run bench [-- name ...]`: runs the named benchmarks (all without a name), each in a process of its own. */
import { runEach } from '../run-each.js';

runEach(import.meta.dirname, '.bench.ts', process.argv.slice(2));
