/** `npm run campaign [-- name ...]`: the long versions of what the tests run in short; all without a name. */
import { runEach } from '../run-each.js';

runEach(import.meta.dirname, '.campaign.ts', process.argv.slice(2));
